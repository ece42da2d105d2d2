// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchSystem

/// Why `record --enforce` fails: what was over budget in any launch. The report of several launches shows only the median one.
struct BrokenBudgets {
  /// One for each budget, one for launches that never met `--ready`, and one for launches whose program could not record; empty if
  /// all launches are within their budgets.
  let sentences: [String]

  /// - Parameter unrecorded: of how many launches the program has the library, and recorded nothing.
  init(_ launches: LaunchSet, unrecorded: Int) {
    let all = launches.launches
    func times(_ count: Int) -> String { all.count == 1 ? "" : " in \(count) of \(all.count) launches" }
    func unknown(_ count: Int, _ reason: String) -> [String] {
      count == 0 ? [] : ["not within budget: the program \(reason)\(times(count))"]
    }
    var worst: [Key: Worst] = [:]
    for launch in all {
      // A subject may have several findings, of which the launch counts once.
      for (key, found) in Dictionary(grouping: launch.brokenBudgets, by: Key.init) {
        guard let most = found.max(by: { $0.actual < $1.actual }) else { continue }
        var own = worst[key] ?? Worst(finding: most, launch: launch.name)
        if most.actual > own.finding.actual { (own.finding, own.launch) = (most, launch.name) }
        own.count += 1
        worst[key] = own
      }
    }
    let broken = worst.sorted { ($0.key.subject, $0.key.id) < ($1.key.subject, $1.key.id) }.map { key, worst in
      "over budget: \(shown(key.subject)) took \(DecimalText.milliseconds(worst.finding.actual)) ms "
        + "(\(DecimalText.milliseconds(worst.finding.expected)) ms allowed)\(times(worst.count))"
        + (all.count == 1 ? "" : "; the slowest is \(shown(fileName(worst.launch)))")
    }
    sentences =
      broken + unknown(all.count { !$0.timeline.isComplete }, "was never ready")
      + unknown(unrecorded, "recorded none of its phases and intervals")
  }

  private struct Key: Hashable {
    let id: String
    let subject: String

    init(_ finding: Finding) { (id, subject) = (finding.id, finding.subject) }
  }

  private struct Worst {
    var finding: Finding
    var launch: String
    var count = 0
  }
}
