// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import launchprof

struct BudgetsFileTests {
  private func read(_ text: String) throws(BudgetsFileError) -> BudgetRules {
    try BudgetsFile(path: "b.yml").parse(Array(text.utf8))
  }

  private func failure(_ text: String) -> String? {
    do throws(BudgetsFileError) {
      _ = try read(text)
      return nil
    } catch { return error.description }
  }

  @Test func allThatCanBeSaid() throws {
    let budgets = try read(
      """
      version: 1
      interval: 20ms   # any work on the main thread
      phase: 1 s
      intervals:
        parse configuration: 250us
        "open: database": 0.4 s
      phases:
        static-init: 2ms
      milestones:
        first-frame: 1.5s
        ready: 90000 ns
      """
    ).resolved(for: Labels())
    #expect(budgets.defaultInterval == 20_000_000)
    #expect(budgets.defaultPhase == 1_000_000_000)
    #expect(budgets.intervals == ["parse configuration": 250_000, "open: database": 400_000_000])
    #expect(budgets.phases == ["static-init": 2_000_000])
    #expect(budgets.milestones == ["first-frame": 1_500_000_000, "ready": 90_000])
  }

  @Test(arguments: [
    ("kind: frist", "\"frist\" is probably misspelt: write first"), ("kind: Cold", "write cold"),
    ("kind: page-cache-cold", "write page-cache cold"), ("context: backgroundlaunch", "write backgroundLaunch"),
  ])
  func aMisspeltKindOrContextIsRefused(condition: String, message: String) {
    let found = failure("when:\n  - {\(condition), phase: 1s}")
    #expect(found?.contains(message) == true, "\(found ?? "no failure")")
  }

  @Test(arguments: ["after an update", "warmup", "first run"])
  func aProgramMayHaveKindsOfItsOwn(kind: String) {
    #expect(failure("when:\n  - {kind: \(kind), context: kiosk, phase: 1s}") == nil)
  }

  @Test func launchesMayHaveBudgetsOfTheirOwn() throws {
    let budgets = try read(
      """
      milestones: {first-frame: 400ms}
      when:
        - reason: url
          milestones: {first-frame: 300ms}
        - reason: url
          kind: first
          phases: {one-time-setup: 2s}
          milestones: {first-frame: 3s}
        - context: backgroundLaunch
          interval: 1s
          phase: 2s
      """)
    func resolved(_ reason: String?, _ context: String? = nil, _ kind: String? = nil) -> Budgets {
      budgets.resolved(for: Labels(reason: reason, context: context, kind: kind))
    }
    #expect(resolved(nil).milestones["first-frame"] == 400_000_000)
    #expect(resolved("timer", nil, "first").milestones["first-frame"] == 400_000_000)
    #expect(resolved("url").milestones["first-frame"] == 300_000_000)
    #expect(resolved("url", nil, "cold").phases.isEmpty)
    #expect(resolved("url", nil, "first").milestones["first-frame"] == 3_000_000_000)
    #expect(resolved("url", nil, "first").phases == ["one-time-setup": 2_000_000_000])
    #expect(resolved("url", "backgroundLaunch").defaultInterval == 1_000_000_000)
    #expect(resolved("url", "backgroundLaunch").defaultPhase == 2_000_000_000)
    #expect(budgets.rules.map { $0.place?.line } == [1, 4, 7, 8, nil, nil])
    var withoutPlaces = budgets
    for row in withoutPlaces.rules.indices { withoutPlaces.rules[row].place = nil }
    #expect(try BudgetRules(flat: budgets.flatForm()) == withoutPlaces)
  }

  @Test(arguments: ["", "# nothing\n", "---\n", "intervals:\n", "milestones: {}\n", "\u{feff}version: 1\n"])
  func whatIsNotSaidIsTheStandard(text: String) throws { #expect(try read(text).rules.isEmpty) }

  @Test(arguments: [
    (
      "intervalls: {}\n",
      "b.yml:1:1: unknown key \"intervalls\"; known keys: version, interval, phase, intervals, phases, milestones, when, gate"
    ),
    (
      "phases:\n  load: fast\n",
      "b.yml:2:9: expected a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min), not \"fast\""
    ),
    (
      "interval: 16\n",
      "b.yml:1:11: expected a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min), not \"16\""
    ),
    (
      "interval: -1ms\n",
      "b.yml:1:11: expected a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min), not \"-1ms\""
    ),
    ("interval: [1ms]\n", "b.yml:1:11: expected a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min)"),
    ("phases: 5ms\n", "b.yml:1:9: expected phase names and times, such as `name: 16ms`"),
    ("- a\n", "b.yml:1:1: expected budgets by kind, such as `interval: 16ms`"),
    ("phases:\n  \"a\\tb\": 1ms\n", "b.yml:2:3: a name cannot contain line breaks, tabs or other control characters"),
    ("when: 5ms\n", "b.yml:1:7: expected a list of launches, such as `- reason: url`, each with its budgets"),
    ("when:\n  - interval: 5ms\n", "b.yml:2:5: expected reason, context or kind, to say for which launches"),
    (
      "when:\n  - reasn: url\n",
      "b.yml:2:5: unknown key \"reasn\"; known keys: reason, context, kind, interval, phase, intervals, phases, milestones"
    ),
    (
      "version: 2\n",
      "b.yml:1:10: this launchprof reads version 1 of the budgets file; update launchprof to read newer versions"
    ),
    (
      "interval: \"1\\u001bms\"\n",
      "b.yml:1:11: expected a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min), not \"1\u{fffd}ms\""
    ),
  ])
  func whatIsWrongIsNamedWithItsPlace(text: String, message: String) { #expect(failure(text) == message) }

  @Test(arguments: [
    "phases: {a: 1ms, a: 2ms}\n", "a: b: c\n", "interval: 'x\n", "\tinterval: 1ms\n", "interval: *x\n", "{", "&a [*a]",
    "? [a]\n: 1ms\n",
  ])
  func whatIsNotYAMLSaysWhere(text: String) throws {
    let message = try #require(failure(text))
    #expect(message.prefixMatch(of: #/b\.yml:\d+:\d+: /#) != nil, "\(message)")
    #expect(!message.contains("\n"), "\(message)")
  }

  @Test func bytesThatAreNotTextSaySo() {
    #expect(throws: BudgetsFileError.self) { try BudgetsFile(path: "b").parse([0xff, 0xfe, 0x00]) }
  }

  @Test(arguments: [
    ("16ms", 16_000_000), ("0.4 s", 400_000_000), ("250us", 250_000), ("1.5µs", 1_500), ("1.5μs", 1_500), ("7ns", 7),
    ("2min", 120_000_000_000), (".5s", 500_000_000), ("1.s", 1_000_000_000), ("0s", 0), (" 3 ms ", 3_000_000),
    ("0.1234567899s", 123_456_789), ("9223372036s", 9_223_372_036_000_000_000),
  ])
  func times(text: String, nanoseconds: Int64) { #expect(TimeText.nanoseconds(text) == nanoseconds) }

  @Test(arguments: [
    "", " ", "ms", "1", "1 m", "-1s", "+1s", "1e3s", "1.2.3s", ".s", "1,5s", "١s", "9223372037s",
    "99999999999999999999s",
    "1s s", "NaNs", "infs", "0x10s",
  ])
  func noTimes(text: String) { #expect(TimeText.nanoseconds(text) == nil) }

  @Test func secondsNeedNoUnitWhereTheyAreMeant() {
    #expect(TimeText.nanoseconds("2.5", defaultUnit: "s") == 2_500_000_000)
    #expect(TimeText.nanoseconds("10ms", defaultUnit: "s") == 10_000_000)
  }
}
