// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis

/// How often `history changes` finds a step, how often it names one commit, and how often an innocent one: series of recorded
/// launches, with a step put in.
struct HistoryPower {
  private(set) var lines: [String] = []
  private(set) var isMissed = false
  private let draws: Int
  private var random: SeededRandom
  private let recorded: RecordedHistory

  private static let lengths = [6, 8, 10, 15, 30, 100]
  private static let steps = [0.05, 0.1, 0.2, 0.3]
  private static let launches = 12

  private init(_ programs: [Rounds], seed: UInt64, draws: Int) {
    (recorded, self.draws) = (RecordedHistory(programs: programs, launches: Self.launches), draws)
    random = SeededRandom(seed: seed)
  }

  static func replayed(_ data: String, seed: UInt64, draws: Int) throws -> HistoryPower {
    let files = ["program-3ms", "program-10ms", "program-50ms", "other-9ms"]
    var power = HistoryPower(try files.map { try Rounds(file: "\(data)/\($0).csv") }, seed: seed, draws: draws)
    power.run()
    return power
  }

  private mutating func run() {
    withoutStep()
    let all = bySize()
    byPlace()
    lines.append(
      "  one commit named: \(all.named) times, an innocent one \(all.named - all.right) times "
        + "(target: the right one in ≥ 90 %)")
    if Double(all.right) < 0.9 * Double(all.named) { isMissed = true }
  }

  // MARK: Tables

  private mutating func withoutStep() {
    lines += [
      "", "Histories without a step, \(Self.launches) launches a commit: series with a false step",
      "  commits  in one hour  each in another hour",
    ]
    var worst = 0
    for commits in Self.lengths {
      let counts = [false, true].map { isAcross in
        (0..<draws * 3).count { _ in !history(commits, step: 0, at: 1, isAcross: isAcross).changes(least: 0).isEmpty }
      }
      lines.append(
        PowerTable.row(
          ["\(commits)", PowerTable.share(counts[0], draws * 3), PowerTable.share(counts[1], draws * 3)], [9, 13, 22]))
      worst = max(worst, counts.max() ?? 0)
    }
    isMissed = PowerTable.isBeyond(0.01, worst, of: draws * 3)
    lines.append("  at most \(PowerTable.share(worst, draws * 3)) at any length (target: ≤ 1 %)")
  }

  private mutating func bySize() -> StepTally {
    lines += [
      "", "Steps with three commits or more on each side",
      "  commits  step    found  one commit  of these right  the interval holds it  commits in it  found by wall time alone",
    ]
    var all = StepTally()
    for commits in Self.lengths {
      for step in Self.steps {
        var tally = StepTally()
        for _ in 0..<draws {
          let place = 3 + random.next(below: commits - 5)
          tally.add(tried(commits, step, at: place), at: place)
          tally.byWall += tried(commits, step, at: place, hasCPU: false) == nil ? 0 : 1
        }
        all.named += tally.named
        all.right += tally.right
        lines.append(
          PowerTable.row(
            [
              "\(commits)", PowerTable.percent(step), PowerTable.share(tally.found, draws),
              PowerTable.share(tally.named, tally.found),
              PowerTable.share(tally.right, tally.named), PowerTable.share(tally.held, tally.found),
              tally.found == 0 ? "–" : String(format: "%.1f", Double(tally.width) / Double(tally.found)),
              PowerTable.share(tally.byWall, draws),
            ], [9, 6, 9, 12, 16, 23, 15, 25]))
      }
    }
    return all
  }

  private mutating func byPlace() {
    lines += [
      "", "Found by the place of the step: the commits on its shorter side",
      "  commits  step        3        5       10       25",
    ]
    for commits in Self.lengths {
      for step in [0.1, 0.3] {
        let cells = [3, 5, 10, 25].map { place in
          guard 2 * place <= commits else { return "–" }
          let found = (0..<draws).count { number in
            tried(commits, step, at: number.isMultiple(of: 2) ? place : commits - place) != nil
          }
          return PowerTable.share(found, draws)
        }
        lines.append(PowerTable.row(["\(commits)", PowerTable.percent(step)] + cells, [9, 6, 9, 9, 9, 9]))
      }
    }
  }

  // MARK: Series

  /// The change that holds the step, otherwise any that is found.
  private mutating func tried(
    _ commits: Int, _ step: Double, at place: Int, hasCPU: Bool = true
  ) -> HistorySeries.Change? {
    let changes = history(commits, step: step, at: place, hasCPU: hasCPU).changes(least: 0)
    return changes.first { $0.places.contains(place) } ?? changes.first
  }

  /// - Parameters:
  ///   - isAcross: each commit comes from another hundred.
  ///   - hasCPU: whether the CPU time is that of the launch.
  private mutating func history(
    _ commits: Int, step: Double, at place: Int, isAcross: Bool = false, hasCPU: Bool = true
  ) -> HistorySeries {
    let rows = recorded.rows(commits, in: isAcross ? .any : .one, hasCPU: hasCPU, &random) {
      $0 >= place ? 1 + step : 1
    }
    return HistorySeries(.total, of: rows)
  }
}

/// What was found in series with one step each.
private struct StepTally {
  var found = 0
  var byWall = 0
  /// Series in which one commit was named, and in which it was the right one.
  var named = 0
  var right = 0
  /// Series whose interval holds the step, and the commits in all intervals.
  var held = 0
  var width = 0

  mutating func add(_ change: HistorySeries.Change?, at place: Int) {
    guard let change else { return }
    found += 1
    named += change.isCertain ? 1 : 0
    right += change.isCertain && change.place == place ? 1 : 0
    held += change.places.contains(place) ? 1 : 0
    width += change.places.count
  }
}
