// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchSystem

/// Why `record --enforce` fails: what was over budget in any launch. The report of several launches shows only the median one.
struct BrokenBudgets {
  /// One for each budget, and one for launches that never met `--ready`; empty if all launches are within their budgets.
  let sentences: [String]

  init(_ launches: LaunchSet) {
    let all = launches.launches
    func times(_ count: Int) -> String { all.count == 1 ? "" : " in \(count) of \(all.count) launches" }
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
    let unready = all.count { !$0.timeline.isComplete }
    sentences = broken + (unready == 0 ? [] : ["not within budget: the program was never ready\(times(unready))"])
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
