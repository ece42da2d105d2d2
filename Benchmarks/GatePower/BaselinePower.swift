// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// How often a commit is called slower than the one before it in a history: with the usual difference between sessions, and
/// with that between the commits of the history.
struct BaselinePower {
  private(set) var lines: [String] = []
  private(set) var isMissed = false
  private let draws: Int
  private var random: SeededRandom
  private let history: RecordedHistory

  private static let lengths = [8, 15, 40]
  private static let launches = 30

  static func replayed(_ data: String, seed: UInt64, draws: Int) throws -> BaselinePower {
    let files = [
      "program-3ms", "program-10ms", "program-50ms", "other-9ms", "program-200ms", "same-node", "same-java",
    ]
    let programs = try files.map { try Rounds(file: "\(data)/\($0).csv") }
    var power = BaselinePower(
      draws: draws, random: SeededRandom(seed: seed),
      history: RecordedHistory(programs: programs, launches: launches))
    power.run()
    return power
  }

  private mutating func run() {
    for hours in [RecordedHistory.Hours.one, .any] {
      lines += [
        "",
        "A commit and its baseline, \(Self.launches) launches each, \(hours == .one ? "all in one hour" : "each in another hour"): regressed (no change)",
        "  commits  truth                  usual difference    as the history says",
      ]
      for commits in Self.lengths {
        for step in [0, 0.1, 0.2, 0.3, 0.5] { add(commits, step: step, in: hours) }
        add(commits, step: 0, after: 0.5, in: hours)
        add(commits, step: 0.2, after: 0.5, in: hours)
      }
    }
  }

  /// - Parameter after: a step in the middle of the history, which stayed.
  private mutating func add(_ commits: Int, step: Double, after: Double = 0, in hours: RecordedHistory.Hours) {
    var (usual, learned) = (Tally(), Tally())
    for _ in 0..<draws {
      let rows = history.rows(commits + 1, in: hours, &random) { commit in
        (commit < commits ? 1 : 1 + step) * (commit < commits / 2 ? 1 : 1 + after)
      }
      func launches(_ commit: Int) -> [Measurement] {
        rows.filter { $0.commit == "c\(commit)" }.map(\.measurement)
      }
      let (base, head) = (launches(commits - 1), launches(commits))
      var options = ComparisonOptions()
      usual.add(LaunchComparison(base: base, head: head, options: options))
      options.commitSpread = CommitSpread(rows.filter { $0.commit != "c\(commits)" })
      learned.add(LaunchComparison(base: base, head: head, options: options))
    }
    if step == 0, after == 0, PowerTable.isBeyond(0.01, learned.regressed, of: draws) { isMissed = true }
    let truth = (step == 0 ? "same" : PowerTable.percent(step)) + (after == 0 ? "" : ", +50 % before")
    let cells = [usual, learned].map {
      "\(PowerTable.share($0.regressed, draws)) (\(PowerTable.share($0.noChange, draws)))"
    }
    lines.append(
      PowerTable.row(["\(commits)"], [9]) + "  " + truth + PowerTable.row(cells, [37 - truth.count, 23]))
  }
}

private struct Tally {
  var regressed = 0
  var noChange = 0

  mutating func add(_ comparison: LaunchComparison) {
    if comparison.outcome == .decided(.regressed) { regressed += 1 }
    if comparison.outcome == .decided(.noChange) { noChange += 1 }
  }
}
