// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Quantiles of launches held against budgets.
struct BudgetCheckTests {
  @Test func theIntervalDecides() throws {
    let launches = measured(40)
    #expect(try BudgetCheck("total", 60_000_000, of: launches).verdict == .within)
    #expect(try BudgetCheck("total", 45_000_000, of: launches).verdict == .over)
    #expect(try BudgetCheck("phase/open-database", 10_000_000, fraction: 0.9, of: launches).verdict == .over)
    guard case .inconclusive = try BudgetCheck("total", 52_400_000, of: launches).verdict else {
      return #expect(Bool(false), "the median of the noise lies near there")
    }
  }

  /// Six launches with 14 libraries each were said to have an unknown number of them.
  @Test func aCountThatNeverVariesNeedsOneLaunch() throws {
    var launches = measured(1)
    launches[0].values[.mappedLibraries] = 14
    func check(_ limit: Double) throws -> BudgetCheck {
      try BudgetCheck("mapped-libraries", limit, isTime: false, of: launches, base: launches)
    }
    #expect(try check(14).verdict == .within && check(3).verdict == .over)
    #expect(try check(3).lower == 14 && check(3).upper == 14 && check(3).isBaseOver && !check(14).isBaseUncertain)
  }

  /// A library that the program opens in half of its launches made "14.5 (14.5 … 14.5)", so chance decided.
  @Test func aCountThatVariesNeedsAnInterval() throws {
    var launches = measured(12)
    for place in launches.indices { launches[place].values[.mappedLibraries] = place % 2 == 0 ? 14 : 15 }
    let check = try BudgetCheck("mapped-libraries", 14, isTime: false, of: launches, base: launches)
    #expect(check.lower == 14 && check.upper == 15 && check.isBaseUncertain)
    #expect(check.verdict.name == "inconclusive")
  }

  /// The launch of `--detail` comes last. Until then, its budget hid that another one needs more launches.
  @Test func whatALaterLaunchFindsHidesNoOpenBudget() throws {
    var gate = GateConfiguration()
    func isDecided(_ budgets: QuantileBudget...) -> Bool {
      gate.budgets = budgets
      return gate.areBudgetsDecided(base: [], head: measured(40), tail: 0.005, most: 160)
    }
    let open = QuantileBudget(metric: "total", fraction: 0.5, limit: 52_400_000)
    let later = QuantileBudget(metric: "lazy-globals", fraction: 0.5, limit: 5, isTime: false)
    #expect(!isDecided(open) && !isDecided(open, later) && isDecided(later))
    // An error at the end, however many launches come before it.
    #expect(isDecided(open, QuantileBudget(metric: "totl", fraction: 0.5, limit: 1)))
  }

  @Test(arguments: ["50", "55", "57.3", "99", "99.9", "99.95", "99.99"])
  func aQuantileHasTheNameThatWasWritten(percent: String) throws {
    let fraction = try #require(Double(percent)) / 100
    #expect(QuantileBudget(metric: "total", fraction: fraction, limit: 1).quantileName == "p" + percent)
  }

  @Test func fewLaunchesAreToldHowManyMore() throws {
    // Eight values bound a median at 99 %: 2⁻⁸ is less than 0.5 %.
    let median = try BudgetCheck("total", 60_000_000, of: measured(3))
    let tail = try BudgetCheck("total", 60_000_000, fraction: 0.9, of: measured(10))
    #expect(median.verdict == .inconclusive(furtherRuns: 5) && tail.verdict == .inconclusive(furtherRuns: 41))
  }

  /// Three launches near the budget asked for 14,792 more, and a rare quantile for 99,992, which are far too few.
  @Test func tooFewLaunchesForAnIntervalDoNotAskForThousands() throws {
    let few = measured(3)
    for distance in [1.0, 1000] {
      let estimate = try #require(few.compactMap { $0.values[.total] }.max())
      let check = try BudgetCheck("total", estimate - distance, fraction: 0.9, of: few)
      #expect(check.verdict == .inconclusive(furtherRuns: 48))
    }
    let rare = try BudgetCheck("total", 90_000_000, fraction: 0.999999, of: few)
    #expect(rare.verdict == .inconclusive(furtherRuns: nil))
  }

  @Test func anUnknownMetricIsAnErrorThatListsTheKnown() throws {
    let error = #expect(throws: BudgetError.self) { _ = try BudgetCheck("phase/open-databse", 1, of: measured(3)) }
    #expect(
      error?.code == .unknownMetric && error?.description.contains("known metrics: total, phase/build-index") == true)
    #expect(throws: BudgetError.self) { _ = try BudgetCheck("minor-faults", 1, of: measured(3)) }
    #expect(error?.description.contains("\"phase/open-databse\"") == true)
  }

  @Test func aCountThatOnlyMoreLimitsIsNotSaidToBeAbsent() throws {
    let error = #expect(throws: BudgetError.self) { _ = try BudgetCheck("libraries", 1, of: measured(3)) }
    #expect(error?.message == "\"libraries\" has no budget; write below `more` how much this count may grow")
  }

  @Test func aNameAloneIsEnoughWhereItIsClear() throws {
    #expect(try BudgetCheck("open-database", 60_000_000, of: measured(20)).verdict == .within)
    #expect(try BudgetCheck("migrate", 60_000_000, of: measured(20)).verdict == .within)
  }

  /// The message was that no launch has it, and its list had the name twice.
  @Test func aNameThatTwoMetricsHaveIsNotUnknown() throws {
    let names = [Metric(.phase, ["load"]), Metric(.phase, ["set-up", "load"])]
    var launches = measured(3)
    for place in launches.indices { for name in names { launches[place].values[name] = 1 } }
    let error = #expect(throws: BudgetError.self) { _ = try BudgetCheck("load", 1, of: launches) }
    #expect(
      error?.message == "\"load\" may be phase/load or phase/set-up/load; write the one that you mean",
      "\(error?.message ?? "")")
  }

  /// Not known is not nothing.
  @Test func aLaunchWithoutAResourceDoesNotCount() throws {
    let samples = (0..<20).map { number in
      var launch = SampleLaunch()
      launch.launcher(exit: 10_000_000, isInstrumented: false, maxResidentBytes: number < 5 ? 9_000_000 : nil)
      return launch
    }
    let launches = Measurement.all(LaunchSet(samples: samples))
    let check = try BudgetCheck("resident-bytes", 1_000_000, isTime: false, of: launches)
    #expect(check.count == 5 && check.estimate == 9e6)
  }
}
