// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

struct BudgetsTests {
  @Test func readsTheFlatForm() throws {
    let rules = try BudgetRules(
      flat: "# ours\nformat\t1\ninterval\t*\t8000000\r\ninterval\topen\tdatabase\t5\nphase\t*\t9\nphase\tmain\t7\n"
        + "milestone\tready\t1000\nlater\tkind\t1\nlaunch\tkind\tfirst\n\n")
    let budgets = rules.resolved(for: Labels())
    #expect(budgets.defaultInterval == 8_000_000)
    #expect(budgets.intervals == ["open\tdatabase": 5])
    #expect(budgets.defaultPhase == 9)
    #expect(budgets.phases == ["main": 7])
    #expect(budgets.milestones == ["first-frame": 400_000_000, "ready": 1000])
  }

  @Test func whatIsNotNamedKeepsItsDefault() throws {
    #expect(try BudgetRules(flat: "").resolved(for: Labels()) == .standard)
    #expect(Budgets.standard.defaultInterval == 16_000_000)
    #expect(Budgets.standard.milestones == ["first-frame": 400_000_000])
  }

  @Test func aLaunchThatEndsWithReadyIsHeldToTheFirstFramesBudget() {
    #expect(Budgets.standard.end(at: "ready") == 400_000_000)
    #expect(Budgets.standard.end(at: "exit") == nil)
    let rules = BudgetRules([BudgetRule(.milestone, "ready", 5)])
    #expect(rules.resolved(for: Labels()).end(at: "ready") == 5)
  }

  /// It has a finding of its own, from 1 ms on.
  @Test func aStaticInitializerHasOnlyABudgetOfItsName() throws {
    func budget(_ budgets: String) -> Int64? {
      var launch = SampleLaunch(preinit: 1_000_000)
      launch.initializer("setup", image: "/usr/bin/app", from: 2_000_000, to: 32_000_000)
      launch.mark("ready", at: 40_000_000)
      launch.launcher(exit: 50_000_000, budgets: budgets)
      let flame = LaunchTimeline(trace: launch.trace()).flame
      let node = (0..<flame.count).first { flame.name(of: $0).hasPrefix("setup") }
      return node.flatMap { flame.overBudget[$0]?.budget }
    }
    #expect(budget("") == nil)
    #expect(budget("interval\tsetup\t5000000\n") == 5_000_000)
  }

  /// As the gate does, also if the launch is over before.
  @Test func theExitHasItsBudget() {
    var launch = SampleLaunch()
    launch.mark("ready", at: 10_000_000)
    launch.launcher(exit: 30_000_000, budgets: "milestone\texit\t20000000\n")
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.milestones.last?.budget == 20_000_000)
    #expect(timeline.findings.contains { $0.id == FindingName.milestoneOverBudget && $0.subject == "exit" })
  }

  /// The gate checked it, and reports did not.
  @Test func preinitHasItsBudget() {
    var launch = SampleLaunch(preinit: 5_000_000)
    launch.mark("ready", at: 10_000_000)
    launch.launcher(exit: 30_000_000, budgets: "milestone\tpreinit\t1000000\n")
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.findings.contains { $0.id == FindingName.milestoneOverBudget && $0.subject == "preinit" })
  }

  /// The file beats the program, which beats the host. Then the rule that names the most labels applies, then the last.
  @Test func theStrongestRuleHolds() {
    let url = BudgetRule.Condition(reason: "url")
    let labels = Labels(reason: "url", context: "userLaunch", kind: "first, page-cache cold")
    func phase(_ rules: BudgetRule...) -> Int64? { BudgetRules(rules).resolved(for: labels).phases["main"] }
    #expect(phase(BudgetRule(.phase, "main", 1, by: .program), BudgetRule(.phase, "main", 2, by: .host)) == 1)
    #expect(phase(BudgetRule(.phase, "main", 1), BudgetRule(.phase, "main", 2, for: url, by: .program)) == 1)
    #expect(phase(BudgetRule(.phase, "main", 1, for: url), BudgetRule(.phase, "main", 2)) == 1)
    #expect(phase(BudgetRule(.phase, "main", 1, for: url), BudgetRule(.phase, "main", 2, for: url)) == 2)
    #expect(phase(BudgetRule(.phase, "main", 1, for: .init(reason: "push"))) == nil)
    // A launch may be of several kinds.
    #expect(phase(BudgetRule(.phase, "main", 1, for: .init(kind: "first"))) == 1)
    #expect(phase(BudgetRule(.phase, "main", 1, for: .init(kind: "cold"))) == nil)
    // A person's budget for all phases overrides a host's default.
    let all = BudgetRules([BudgetRule(.phase, "main", 1, by: .host), BudgetRule(.phase, "*", 9)]).resolved(for: labels)
    #expect(all.phases.isEmpty)
    #expect(all.defaultPhase == 9)
  }

  @Test(arguments: [
    "interval\t*", "interval\t\t5", "phase\tmain\tfast", "milestone\tready\t-1", "interval\t*\t99999999999999999999",
    "interval\t*\t5 ",
  ])
  func refusesBrokenLines(line: String) {
    #expect(throws: BudgetsError.self) { try BudgetRules(flat: "format\t1\n" + line) }
    let error = #expect(throws: BudgetsError.self) { try BudgetRules(flat: "format\t1\n" + line) }
    #expect(error?.line == 2)
  }

  @Test func refusesANewerFormat() {
    let error = #expect(throws: BudgetsError.self) { try BudgetRules(flat: "format\t2\n") }
    #expect(error?.code == .unsupportedVersion)
  }

  @Test func refusesNamesThatWouldBreakALine() {
    #expect(throws: BudgetsError.self) { try BudgetRules([BudgetRule(.phase, "a\nb", 1)]).flatForm() }
    let condition = BudgetRule.Condition(reason: "a\tb")
    #expect(throws: BudgetsError.self) { try BudgetRules([BudgetRule(.phase, "a", 1, for: condition)]).flatForm() }
  }

  @Test func anyBudgetsComeBack() throws {
    var random = SeededGenerator()
    let pieces = ["a", "\t", " ", "é", "#", "*", "日", "\\", "interval"]
    func name() -> String {
      (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func label() -> String? { [nil, "url", "first, cold"].randomElement(using: &random) ?? nil }
    for _ in 0..<300 {
      let rules = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        BudgetRule(
          BudgetRule.Kind.allCases.randomElement(using: &random) ?? .phase, name(),
          .random(in: 0...(.max), using: &random),
          for: BudgetRule.Condition(reason: label(), context: label(), kind: label()))
      }
      #expect(try BudgetRules(flat: BudgetRules(rules).flatForm()).rules == rules)
    }
  }
}
