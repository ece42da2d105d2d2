// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// What the base says of a budget: much, little or nothing.
struct BudgetOfBaseTests {
  /// A launch that failed late would excuse the head.
  @Test func launchesOfTheBaseThatDoNotCountExcuseNothing() throws {
    let (head, sound) = (measured(12) { $0.database += 40_000 }, measured(8))
    for leftOut in [LaunchSet.LeftOut.failed, .cold] {
      let others = head.map { launch in
        var launch = launch
        launch.leftOut = leftOut
        return launch
      }
      let check = try BudgetCheck("total", 75_000_000, of: head, base: others + sound)
      #expect(check.verdict == .over && check.base != nil && !check.isBaseOver, "\(check)")
    }
  }

  @Test func aBaseThatIsOverIsTold() throws {
    let check = try BudgetCheck("total", 1_000_000, of: measured(12), base: measured(12))
    #expect(check.verdict == .over && check.isBaseOver)
    let alone = try BudgetCheck("total", 1_000_000, of: measured(12))
    #expect(alone.base == nil && !alone.isBaseOver)
  }

  /// A budget that base and head are equally near to says nothing about the change.
  @Test func aBudgetAsUndecidedForTheBaseDoesNotFail() throws {
    var launches = ComparedLaunches(seed: 4)
    let comparison = LaunchComparison(
      base: launches.rounds(80, side: "base"), head: launches.rounds(80, side: "head"))
    #expect(comparison.outcome == .decided(.noChange))
    func median(_ side: [Measurement]) -> Double {
      QuantileInterval(side.compactMap { $0.values[.total] }, fraction: 0.5, tail: 0.005).estimate
    }
    func result(base: [Measurement]) throws -> GateResult {
      let check = try BudgetCheck("total", median(comparison.head) + 1, of: comparison.head, base: base)
      return GateResult(comparison: comparison, budgets: [check], launches: comparison.head)
    }
    #expect(try result(base: comparison.base).status == .passed)
    // A base that was within the budget does not excuse it.
    #expect(try result(base: measured(40) { $0.database -= 20_000 }).status == .inconclusive)
    // Nor does one that probably was, when the head probably is not.
    let (lower, higher) =
      median(comparison.base) < median(comparison.head)
      ? (comparison.base, comparison.head) : (comparison.head, comparison.base)
    let between = (median(lower) + median(higher)) / 2
    let check = try BudgetCheck("total", between, of: higher, base: lower)
    #expect(check.isBaseUncertain && !check.isAsUndecidedAsBase, "\(check)")
    let other = try BudgetCheck("total", between, of: lower, base: higher)
    #expect(other.isAsUndecidedAsBase, "\(other)")
  }

  /// Ten launches give no upper end of a p90, so any base looks as undecided, and a slow head passed.
  @Test func tooFewLaunchesForAnIntervalLookLikeTheBase() throws {
    func check(_ count: Int) throws -> BudgetCheck {
      try BudgetCheck("total", 1e12, fraction: 0.9, of: measured(count), base: measured(count))
    }
    #expect(try check(50).isAsUndecidedAsBase && check(50).lacksLaunches(of: 320))
    #expect(try !check(50).lacksLaunches(of: 50) && !check(51).lacksLaunches(of: 320))
  }
}
