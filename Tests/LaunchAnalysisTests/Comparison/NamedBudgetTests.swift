// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Budgets of milestones, phases and intervals, by name.
struct NamedBudgetTests {
  @Test func whatAFileNamesIsHeld() throws {
    var rules = BudgetRules([
      BudgetRule(.interval, "*", 1), BudgetRule(.interval, "migrate", 5_000_000), BudgetRule(.interval, "qurey", 1),
      BudgetRule(.phase, "*", 1), BudgetRule(.phase, "open-database", 90_000_000),
      BudgetRule(.milestone, "ready", 1_000_000),
    ])
    for row in rules.rules.indices { rules.rules[row].place = QuantileBudget.FileLine(file: "b.yml", line: row + 1) }
    let named = NamedBudgets(rules, of: measured(12), tail: 0.005)
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
    let named = NamedBudgets(rules, of: measured(12), tail: 0.005)
    #expect(named.checks.map(\.metric.id) == ["milestone/ready"])
    #expect(named.checks.map(\.verdict) == [ready == nil ? .over : .within])
    #expect(named.unmatched.map(\.name) == (ready == nil ? [] : ["milestones: first-frame"]))
  }

  /// `record` ends a launch with its first output, and the gate, which drops the output, did not say why it has no `ready`.
  @Test func aBudgetOfAProgramThatIsNeverReadySaysWhy() {
    var launch = SampleLaunch(preinit: 1000)
    launch.phase("load", from: 1_000_000, to: 2_000_000)
    launch.launcher(exit: 50_000_000)
    let launches = Measurement.all(LaunchSet(samples: [launch]))
    #expect(launches.map(\.endMilestone) == ["exit"])
    let rules = BudgetRules([
      BudgetRule(.milestone, "first-frame", 1), BudgetRule(.milestone, "redy", 1), BudgetRule(.phase, "ready", 1),
    ])
    let unmatched = NamedBudgets(rules, of: launches, tail: 0.005).unmatched
    let missing = "no launch has a part that matches milestones: first-frame"
    let reason = missing + ": the program ended before anything made it ready"
    #expect(unmatched.map(\.name) == ["milestones: first-frame", "milestones: redy", "phases: ready"])
    #expect(unmatched.first?.sentence == reason)
    #expect(unmatched.first?.withAdvice.sentence.hasPrefix(reason + "; the gate drops its output") == true)
    #expect(unmatched.dropFirst().allSatisfy { !$0.sentence.contains("made it ready") && $0.withAdvice == $0 })
    let both = BudgetRules([BudgetRule(.milestone, "first-frame", 1), BudgetRule(.milestone, "ready", 90_000_000)])
    #expect(NamedBudgets(both, of: measured(12), tail: 0.005).unmatched.map(\.sentence) == [missing])
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
    let all = Measurement.all(LaunchSet(samples: launches([10, 12, 10], count: 9)))
    let sum = try BudgetCheck("phase/render", 20_000_000, of: all)
    #expect(sum.estimate == 32e6 && sum.verdict == .over)
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
    let named = NamedBudgets(rules, of: measured(12), tail: 0.005)
    #expect(named.checks.isEmpty && named.unmatched.isEmpty)
    #expect(
      named.inapplicable.map(\.sentence) == ["no launch has the kind cold, so milestones: ready was not checked"])
  }

  /// A kind that the program misspells is held to no budget, and nothing said so.
  @Test func whatTheLaunchesHaveInsteadIsNamed() throws {
    let rules = BudgetRules([BudgetRule(.milestone, "ready", 1, for: .init(kind: "warm"))])
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000)
    launch.metadata([("kind", .string("wram")), ("reason", .string("timer"))])
    launch.mark("ready", at: 2_000_000)
    let launches = Measurement.all(LaunchSet(samples: [launch]))
    #expect(
      NamedBudgets(rules, of: launches, tail: 0.005).inapplicable.map(\.sentence) == [
        "no launch has the kind warm, so milestones: ready was not checked; the first launch has the kind wram"
      ])
  }

  /// The default budget of the first frame is for reports.
  @Test func aBudgetOfOtherLaunchesDoesNotMakeADefaultOneHold() {
    var rules = BudgetRules([BudgetRule(.milestone, "first-frame", 3_000_000_000, for: .init(kind: "first"))])
    #expect(NamedBudgets(rules, of: measured(12), tail: 0.005).checks.isEmpty)
    rules.rules.append(BudgetRule(.milestone, "ready", 3_000_000_000))
    let named = NamedBudgets(rules, of: measured(12), tail: 0.005)
    #expect(named.checks.map(\.metric.id) == ["milestone/ready"] && named.unmatched.isEmpty)
    #expect(named.inapplicable.map(\.name) == ["milestones: first-frame"])
  }
}
