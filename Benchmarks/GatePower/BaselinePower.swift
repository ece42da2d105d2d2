// SPDX-License-Identifier: Apache-2.0

import Foundation
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
      func launches(_ commit: Int) -> [LaunchAnalysis.Measurement] {
        rows.filter { $0.commit == "c\(commit)" }.map(\.measurement)
      }
      var options = ComparisonOptions()
      usual.add(LaunchComparison(base: launches(commits - 1), head: launches(commits), options: options))
      options.commitSpread = CommitSpread(rows.filter { $0.commit != "c\(commits)" })
      learned.add(LaunchComparison(base: launches(commits - 1), head: launches(commits), options: options))
    }
    if step == 0, after == 0, learned.isBeyond(0.01, of: draws) { isMissed = true }
    let truth = (step == 0 ? "same" : "+\(Int((step * 100).rounded())) %") + (after == 0 ? "" : ", +50 % before")
    let cells = [usual, learned].map { text in
      let whole = Double(draws)
      return String(
        format: "%.1f %% (%.1f %%)", 100 * Double(text.regressed) / whole, 100 * Double(text.noChange) / whole)
    }
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    lines.append(padded("\(commits)", 9) + "  " + truth + padded(cells[0], 39 - truth.count - 2) + padded(cells[1], 23))
  }
}

private struct Tally {
  var regressed = 0
  var noChange = 0

  mutating func add(_ comparison: LaunchComparison) {
    if comparison.outcome == .decided(.regressed) { regressed += 1 }
    if comparison.outcome == .decided(.noChange) { noChange += 1 }
  }

  /// Whether more than this share regressed, by more than two standard errors of the draws.
  func isBeyond(_ share: Double, of draws: Int) -> Bool {
    let (whole, most) = (Double(draws), share)
    return Double(regressed) / whole > most + 2 * (most * (1 - most) / whole).squareRoot()
  }
}
