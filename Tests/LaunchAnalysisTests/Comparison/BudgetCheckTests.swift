// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

struct BudgetCheckTests {
  private func launches(_ count: Int, _ change: (inout ComparedLaunches.Plan) -> Void = { _ in }) -> [Measurement] {
    var launches = ComparedLaunches(seed: 21)
    return Measurement.all(LaunchSet(samples: launches.session("s", count, change)))
  }

  private func check(_ metric: String, _ limit: Double, fraction: Double = 0.5, of launches: [Measurement]) throws
    -> BudgetCheck.Verdict
  {
    let budget = QuantileBudget(metric: metric, fraction: fraction, limit: limit)
    return try #require(try BudgetCheck.all([budget], of: launches, tail: 0.005).first).verdict
  }

  @Test func theIntervalDecides() throws {
    let measured = launches(40)
    #expect(try check("total", 60_000_000, of: measured) == .within)
    #expect(try check("total", 45_000_000, of: measured) == .over)
    #expect(try check("phase/open-database", 10_000_000, fraction: 0.9, of: measured) == .over)
    guard case .inconclusive = try check("total", 52_000_000 + 400_000, of: measured) else {
      return #expect(Bool(false), "the median of the noise lies near there")
    }
  }

  /// Six launches with 14 libraries each were said to have an unknown number of them.
  @Test func aCountThatNeverVariesNeedsOneLaunch() throws {
    var measured = launches(1)
    measured[0].values[.mappedLibraries] = 14
    func check(_ limit: Double) throws -> BudgetCheck {
      let budget = QuantileBudget(metric: "mapped-libraries", fraction: 0.5, limit: limit, isTime: false)
      return try #require(try BudgetCheck.all([budget], of: measured, base: measured, tail: 0.005).first)
    }
    #expect(try check(14).verdict == .within && check(3).verdict == .over)
    #expect(try check(3).lower == 14 && check(3).upper == 14 && check(3).isBaseOver && !check(14).isBaseUncertain)
  }

  /// A library that the program opens in half of its launches made "14.5 (14.5 … 14.5)", so chance decided.
  @Test func aCountThatVariesNeedsAnInterval() throws {
    var measured = launches(12)
    for place in measured.indices { measured[place].values[.mappedLibraries] = place % 2 == 0 ? 14 : 15 }
    let budget = QuantileBudget(metric: "mapped-libraries", fraction: 0.5, limit: 14, isTime: false)
    let check = try #require(try BudgetCheck.all([budget], of: measured, base: measured, tail: 0.005).first)
    #expect(check.lower == 14 && check.upper == 15 && check.isBaseUncertain)
    #expect(check.verdict.name == "inconclusive")
  }

  @Test(arguments: ["50", "55", "57.3", "99", "99.9", "99.95", "99.99"])
  func aQuantileHasTheNameThatWasWritten(percent: String) throws {
    let fraction = try #require(Double(percent)) / 100
    #expect(QuantileBudget(metric: "total", fraction: fraction, limit: 1).quantileName == "p" + percent)
  }

  @Test func fewLaunchesAreToldHowManyMore() throws {
    // Eight values bound a median at 99 %: 2⁻⁸ is less than 0.5 %.
    #expect(try check("total", 60_000_000, of: launches(3)) == .inconclusive(furtherRuns: 5))
    #expect(try check("total", 60_000_000, fraction: 0.9, of: launches(10)) == .inconclusive(furtherRuns: 41))
  }

  /// Three launches near the budget asked for 14,792 more, and a rare quantile for 99,992, which are far too few.
  @Test func tooFewLaunchesForAnIntervalDoNotAskForThousands() throws {
    let few = launches(3)
    for distance in [1.0, 1000] {
      let estimate = try #require(few.compactMap { $0.values[.total] }.max())
      #expect(try check("total", estimate - distance, fraction: 0.9, of: few) == .inconclusive(furtherRuns: 48))
    }
    #expect(try check("total", 90_000_000, fraction: 0.999999, of: few) == .inconclusive(furtherRuns: nil))
  }

  @Test func anUnknownMetricIsAnErrorThatListsTheKnown() throws {
    let error = #expect(throws: BudgetError.self) { _ = try check("phase/open-databse", 1, of: launches(3)) }
    #expect(
      error?.code == .unknownMetric && error?.description.contains("known metrics: total, phase/build-index") == true)
    #expect(throws: BudgetError.self) { _ = try check("minor-faults", 1, of: launches(3)) }
    #expect(error?.description.contains("\"phase/open-databse\"") == true)
  }

  @Test func aCountThatOnlyMoreLimitsIsNotSaidToBeAbsent() throws {
    let error = #expect(throws: BudgetError.self) { _ = try check("libraries", 1, of: launches(3)) }
    #expect(error?.message == "\"libraries\" has no budget; write below `more` how much this count may grow")
  }

  @Test func aNameAloneIsEnoughWhereItIsClear() throws {
    #expect(try check("open-database", 60_000_000, of: launches(20)) == .within)
    #expect(try check("migrate", 60_000_000, of: launches(20)) == .within)
  }

  /// The message was that no launch has it, and its list had the name twice.
  @Test func aNameThatTwoMetricsHaveIsNotUnknown() throws {
    let names = [Metric(.phase, ["load"]), Metric(.phase, ["set-up", "load"])]
    var measured = launches(3)
    for place in measured.indices { for name in names { measured[place].values[name] = 1 } }
    let error = #expect(throws: BudgetError.self) { _ = try check("load", 1, of: measured) }
    #expect(
      error?.message == "\"load\" may be phase/load or phase/set-up/load; write the one that you mean",
      "\(error?.message ?? "")")
  }

  @Test func whatAFileNamesIsHeld() throws {
    var rules = BudgetRules([
      BudgetRule(.interval, "*", 1), BudgetRule(.interval, "migrate", 5_000_000), BudgetRule(.interval, "qurey", 1),
      BudgetRule(.phase, "*", 1), BudgetRule(.phase, "open-database", 90_000_000),
      BudgetRule(.milestone, "ready", 1_000_000),
    ])
    for row in rules.rules.indices { rules.rules[row].place = QuantileBudget.FileLine(file: "b.yml", line: row + 1) }
    let named = NamedBudgets(rules, of: launches(12), tail: 0.005)
    let verdicts = Dictionary(uniqueKeysWithValues: named.checks.map { ($0.metric.id, $0.verdict) })
    #expect(verdicts == ["milestone/ready": .over, "phase/open-database": .within, "longest/migrate": .over])
    #expect(named.unmatched.map(\.name) == ["intervals: qurey"] && named.unmatched.first?.place?.line == 3)
    let lines = Dictionary(uniqueKeysWithValues: named.checks.map { ($0.metric.id, $0.budget.place?.line) })
    #expect(lines == ["milestone/ready": 6, "phase/open-database": 5, "longest/migrate": 2])
  }

  /// As in a report: a program without a screen is launched when it is ready.
  @Test(arguments: [nil, 90_000_000 as Int64])
  func theBudgetOfTheFirstFrameIsForReady(ready: Int64?) {
    var rules = BudgetRules([BudgetRule(.milestone, "first-frame", 1_000_000)])
    if let ready { rules.rules.append(BudgetRule(.milestone, "ready", ready)) }
    let named = NamedBudgets(rules, of: launches(12), tail: 0.005)
    #expect(named.checks.map(\.metric.id) == ["milestone/ready"])
    #expect(named.checks.map(\.verdict) == [ready == nil ? .over : .within])
    #expect(named.unmatched.map(\.name) == (ready == nil ? [] : ["milestones: first-frame"]))
  }

  /// The gate added them up, and a report compared each of them.
  @Test func ofPhasesThatRepeatTheLongestCounts() throws {
    func launches(_ lengths: [Int64], count: Int) -> [SampleLaunch] {
      (0..<count).map { _ in
        var launch = SampleLaunch()
        launch.recorder(preinit: 1000)
        var time: Int64 = 2_000_000
        for length in lengths {
          launch.phase("render", from: time, to: time + length * 1_000_000)
          time += (length + 1) * 1_000_000
        }
        launch.mark("ready", at: time)
        return launch
      }
    }
    let rules = BudgetRules([BudgetRule(.phase, "render", 20_000_000)])
    func check(_ head: [SampleLaunch], base: [SampleLaunch] = []) throws -> BudgetCheck {
      let (head, base) = (Measurement.all(LaunchSet(samples: head)), Measurement.all(LaunchSet(samples: base)))
      return try #require(NamedBudgets(rules, of: head, base: base, tail: 0.005).checks.first)
    }
    let often = try check(launches([10, 12, 10], count: 9), base: launches([30], count: 9))
    #expect(often.metric.id == "longest-phase/render" && often.estimate == 12e6 && often.verdict == .within)
    #expect(often.base == 30e6, "a phase that occurs once is the longest")
    #expect(often.budget.source == .phases)
    let mixed = try check(launches([30], count: 8) + launches([10, 30], count: 8))
    #expect(mixed.lower == 30e6 && mixed.upper == 30e6 && mixed.verdict == .over)
    // The sum is compared, and quantiles are of what is compared.
    let sum = try BudgetCheck.all(
      [QuantileBudget(metric: "phase/render", fraction: 0.5, limit: 20_000_000)],
      of: Measurement.all(LaunchSet(samples: launches([10, 12, 10], count: 9))), tail: 0.005)
    #expect(sum.map(\.estimate) == [32e6] && sum.map(\.verdict) == [.over])
  }

  private func launches(_ count: Int, drawn: Int) -> [Measurement] {
    Measurement.all(
      LaunchSet(
        samples: (0..<count).map { number in
          var launch = SampleLaunch(preinit: 1000)
          launch.mark("ready", at: 2_000_000)
          if number < drawn { launch.mark("fully-drawn", at: 100_000_000) }
          return launch
        }))
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
    let quantile = try BudgetCheck.all(
      [QuantileBudget(metric: "milestone/fully-drawn", fraction: 0.9, limit: 200_000_000)],
      of: launches(80, drawn: 40), tail: 0.005)
    #expect(quantile.map(\.verdict) == [.over])
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

  /// Not known is not nothing.
  @Test func aLaunchWithoutAResourceDoesNotCount() throws {
    let samples = (0..<20).map { number in
      var launch = SampleLaunch()
      launch.launcher(exit: 10_000_000, isInstrumented: false, maxResidentBytes: number < 5 ? 9_000_000 : nil)
      return launch
    }
    let budget = QuantileBudget(metric: "resident-bytes", fraction: 0.5, limit: 1_000_000, isTime: false)
    let check = try #require(
      try BudgetCheck.all([budget], of: Measurement.all(LaunchSet(samples: samples)), tail: 0.005).first)
    #expect(check.count == 5 && check.estimate == 9e6)
  }

  @Test func anyBudgetByNameThatIsBrokenCounts() {
    func isOver(_ budget: Int64) -> Bool {
      var launch = SampleLaunch(preinit: 1000)
      launch.interval("query", from: 2_000_000, to: 32_000_000, on: launch.thread(4720, name: "worker"))
      launch.mark("ready", at: 40_000_000)
      launch.launcher(exit: 50_000_000, budgets: "interval\tquery\t\(budget)")
      return LaunchSet(samples: [launch]).launches[0].brokenBudgets.count == 1
    }
    #expect(isOver(5_000_000) && !isOver(50_000_000))
  }

  /// Without a recorder, nearly every launch was over the default budget of an interval, because of its functions.
  @Test func aSampledFunctionIsHeldOnlyToABudgetOfItsName() {
    func isOver(_ budgets: String) -> Bool {
      var launch = SampleLaunch()
      launch.samples(["main", "spin"], from: 10_000_000, to: 110_000_000)
      launch.launcher(exit: 200_000_000, isInstrumented: false, budgets: budgets)
      let set = LaunchSet(samples: [launch])
      #expect(set.launches[0].findings.contains { $0.id == FindingName.mainThreadOverBudget } || budgets != "")
      return !set.launches[0].brokenBudgets.isEmpty
    }
    #expect(!isOver("") && isOver("interval\tspin\t50000000") && !isOver("interval\tspin\t150000000"))
  }

  /// The finding said "allowed 1 ms" whatever the budget was.
  @Test func anInitializerIsHeldToABudgetOfItsName() {
    func launch(_ budgets: String) -> LaunchSet.Launch {
      var launch = SampleLaunch(preinit: 1000)
      launch.initializer("init (app)", image: "/bin/app", from: 1_000_000, to: 9_000_000)
      launch.mark("main", at: 10_000_000)
      launch.mark("ready", at: 20_000_000)
      launch.launcher(exit: 50_000_000, budgets: budgets)
      return LaunchSet(samples: [launch]).launches[0]
    }
    func finding(_ launch: LaunchSet.Launch) -> Finding? {
      launch.findings.first { $0.id == FindingName.slowStaticInitializer }
    }
    let unnamed = launch("")
    #expect(finding(unnamed)?.expected == 1_000_000 && unnamed.brokenBudgets.isEmpty)
    let broken = launch("interval\tinit (app)\t5000000")
    #expect(finding(broken)?.expected == 5_000_000 && !broken.brokenBudgets.isEmpty)
    let kept = launch("interval\tinit (app)\t9000000")
    #expect(finding(kept) == nil && kept.brokenBudgets.isEmpty)
  }

  @Test func aBudgetOfOtherLaunchesDoesNotHold() {
    let rules = BudgetRules([BudgetRule(.milestone, "ready", 1, for: .init(kind: "cold"))])
    #expect(!rules.namesNothing && BudgetRules([BudgetRule(.phase, "*", 1)]).namesNothing)
    let named = NamedBudgets(rules, of: launches(12), tail: 0.005)
    #expect(named.checks.isEmpty && named.unmatched.isEmpty)
    #expect(
      named.inapplicable.map(\.sentence) == ["no launch has the kind cold, so milestones: ready was not checked"])
  }

  /// The default budget of the first frame is for reports.
  @Test func aBudgetOfOtherLaunchesDoesNotMakeADefaultOneHold() {
    var rules = BudgetRules([BudgetRule(.milestone, "first-frame", 3_000_000_000, for: .init(kind: "first"))])
    #expect(NamedBudgets(rules, of: launches(12), tail: 0.005).checks.isEmpty)
    rules.rules.append(BudgetRule(.milestone, "ready", 3_000_000_000))
    let named = NamedBudgets(rules, of: launches(12), tail: 0.005)
    #expect(named.checks.map(\.metric.id) == ["milestone/ready"] && named.unmatched.isEmpty)
    #expect(named.inapplicable.map(\.name) == ["milestones: first-frame"])
  }

  @Test func aBaseThatIsOverIsTold() throws {
    let budget = QuantileBudget(metric: "total", fraction: 0.5, limit: 1_000_000)
    let check = try #require(
      try BudgetCheck.all([budget], of: launches(12), base: launches(12), tail: 0.005).first)
    #expect(check.verdict == .over && check.isBaseOver)
    let alone = try #require(try BudgetCheck.all([budget], of: launches(12), tail: 0.005).first)
    #expect(alone.base == nil && !alone.isBaseOver)
  }

  @Test func theStatusFollowsTheWorst() {
    var result = GateResult(comparison: nil, launches: launches(12))
    #expect(result.status == .passed)
    result.baselineProblem = "none"
    #expect(result.status == .baselineMissing)
    #expect(GateResult(comparison: nil, launches: []).status == .launchFailed)
    var launches = ComparedLaunches(seed: 1)
    let failed = Measurement.all(LaunchSet(samples: [.crash()]))
    #expect(failed.first?.leftOut == .failed)
    #expect(GateResult(comparison: nil, launches: failed).status == .launchFailed)
    let comparison = LaunchComparison(
      base: launches.rounds(12, side: "base"), head: launches.rounds(12, side: "head") { $0.database -= 9_000 })
    #expect(GateResult(comparison: comparison, launches: comparison.head).status == .improved)
    // What was interrupted passes nothing, but is no failure of the launches.
    for (comparison, launches) in [(comparison, comparison.head), (nil, []), (nil, self.launches(12))] {
      var interrupted = GateResult(comparison: comparison, launches: launches)
      interrupted.isInterrupted = true
      #expect(interrupted.status == .inconclusive)
    }
    var interrupted = GateResult(comparison: nil, launches: failed)
    interrupted.isInterrupted = true
    #expect(interrupted.status == .launchFailed)
  }

  /// A budget that base and head are equally near to says nothing about the change.
  @Test func aBudgetAsUndecidedForTheBaseDoesNotFail() throws {
    var launches = ComparedLaunches(seed: 4)
    let comparison = LaunchComparison(
      base: launches.rounds(80, side: "base"), head: launches.rounds(80, side: "head"))
    #expect(comparison.outcome == .decided(.noChange))
    let middle = QuantileInterval(comparison.head.compactMap { $0.values[.total] }, fraction: 0.5, tail: 0.005).estimate
    let budget = QuantileBudget(metric: "total", fraction: 0.5, limit: middle + 1)
    func result(base: [Measurement]) throws -> GateResult {
      GateResult(
        comparison: comparison, budgets: try BudgetCheck.all([budget], of: comparison.head, base: base, tail: 0.005),
        launches: comparison.head)
    }
    #expect(try result(base: comparison.base).status == .passed)
    // A base that was within the budget does not excuse it.
    #expect(try result(base: self.launches(40) { $0.database -= 20_000 }).status == .inconclusive)
    // Nor does one that probably was, when the head probably is not.
    func median(_ side: [Measurement]) -> Double {
      QuantileInterval(side.compactMap { $0.values[.total] }, fraction: 0.5, tail: 0.005).estimate
    }
    let (lower, higher) =
      median(comparison.base) < median(comparison.head)
      ? (comparison.base, comparison.head) : (comparison.head, comparison.base)
    let between = QuantileBudget(metric: "total", fraction: 0.5, limit: (median(lower) + median(higher)) / 2)
    let check = try #require(try BudgetCheck.all([between], of: higher, base: lower, tail: 0.005).first)
    #expect(check.isBaseUncertain && !check.isAsUndecidedAsBase, "\(check)")
    let other = try #require(try BudgetCheck.all([between], of: lower, base: higher, tail: 0.005).first)
    #expect(other.isAsUndecidedAsBase, "\(other)")
  }

  /// Ten launches give no upper end of a p90, so any base looks as undecided, and a slow head passed.
  @Test func tooFewLaunchesForAnIntervalLookLikeTheBase() throws {
    let budget = QuantileBudget(metric: "total", fraction: 0.9, limit: 1e12)
    func check(_ count: Int) throws -> BudgetCheck {
      let side = launches(count)
      return try #require(try BudgetCheck.all([budget], of: side, base: side, tail: 0.005).first)
    }
    #expect(try check(50).isAsUndecidedAsBase && check(50).lacksLaunches(of: 320))
    #expect(try !check(50).lacksLaunches(of: 50) && !check(51).lacksLaunches(of: 320))
  }
}
