// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Budgets of milestones that some launches never reach.
struct MilestoneBudgetTests {
  private func launches(_ count: Int, drawn: Int) -> [Measurement] {
    let samples = (0..<count).map { number in
      var launch = SampleLaunch(preinit: 1000)
      launch.mark("ready", at: 2_000_000)
      if number < drawn { launch.mark("fully-drawn", at: 100_000_000) }
      return launch
    }
    return Measurement.all(LaunchSet(samples: samples))
  }

  /// They counted as if they had reached it at once.
  @Test func aLaunchThatNeverReachesAMilestoneIsOverItsBudget() throws {
    func check(_ head: [Measurement], base: [Measurement] = [], limit: Int64 = 50_000_000) throws -> BudgetCheck {
      let rules = BudgetRules([BudgetRule(.milestone, "fully-drawn", limit)])
      return try #require(NamedBudgets(rules, of: head, base: base, tail: 0.005).checks.first)
    }
    let few = try check(launches(25, drawn: 5))
    #expect(few.verdict == .over && few.estimate == .infinity && few.unreached == 20 && few.count == 25)
    #expect(try check(launches(25, drawn: 25), limit: 200_000_000).verdict == .within)
    #expect(try check(launches(40, drawn: 38), limit: 200_000_000).verdict == .within)
    // More launches do not help if about half of them never reach it.
    #expect(try check(launches(20, drawn: 11), limit: 200_000_000).verdict == .inconclusive(furtherRuns: nil))
    // The base may not know the milestone.
    #expect(try check(launches(25, drawn: 25), base: launches(25, drawn: 0)).base == nil)
    let half = launches(80, drawn: 40)
    #expect(try BudgetCheck("milestone/fully-drawn", 200_000_000, fraction: 0.9, of: half).verdict == .over)
  }

  private func rows(_ launches: [Measurement], commit: String = "a") -> [HistoryRow] {
    let key = HistoryKey(program: "p", machine: "m", configuration: "c")
    return launches.map { HistoryRow(id: 1, added: 1, key: key, commit: commit, measurement: $0) }
  }

  /// The page of a history checks the launches of the latest commit, as the gate did when they were made.
  @Test func aLaunchOfTheHistoryThatNeverReachesAMilestoneIsOverItsBudget() throws {
    let rows = rows(launches(25, drawn: 5))
    let series = HistorySeries(Metric(.milestone, ["fully-drawn"]), of: rows)
    let checks = BudgetCheck.latest(
      [QuantileBudget(metric: "milestone/fully-drawn", fraction: 0.5, limit: 200_000_000)],
      BudgetRules([BudgetRule(.milestone, "fully-drawn", 200_000_000)]), in: series, of: rows, tail: 0.005)
    #expect(checks.map(\.verdict) == [.over, .over] && checks.map(\.unreached) == [20, 20])
    #expect(series.points.map(\.launches) == [5] && series.unmeasured.isEmpty)
  }

  /// The page showed the commit before it as the latest one.
  @Test func theLatestCommitMayReachNoMilestone() throws {
    let rows = rows(launches(25, drawn: 25)) + rows(launches(25, drawn: 0), commit: "b")
    let series = HistorySeries(Metric(.milestone, ["fully-drawn"]), of: rows)
    #expect(series.points.map(\.commit) == ["a"] && series.unmeasured == ["b"] && series.isLatestUnmeasured)
    let checks = BudgetCheck.latest(
      [QuantileBudget(metric: "milestone/fully-drawn", fraction: 0.5, limit: 200_000_000)], BudgetRules([]), in: series,
      of: rows, tail: 0.005)
    #expect(checks.map(\.verdict) == [.over] && checks.map(\.unreached) == [25])
    #expect(!HistorySeries(.total, of: rows).isLatestUnmeasured)
    let earlier = HistorySeries(series.metric, of: Array(rows.suffix(25) + rows.prefix(25)))
    #expect(earlier.unmeasured == ["b"] && !earlier.isLatestUnmeasured)
  }
}
