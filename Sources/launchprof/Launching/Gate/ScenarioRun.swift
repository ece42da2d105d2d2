// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver

/// Judges several scenarios or programs one after the other, and gives one verdict.
struct ScenarioRun {
  let command: GateCheckCommand
  let path: String?
  let gate: GateConfiguration
  /// The launches to judge; empty to launch the scenarios of the configuration.
  var recorded: [LaunchSeries] = []

  /// A scenario with what is launched, or was recorded.
  private struct Judged {
    var scenario: GateScenario
    /// nil for recorded launches.
    var program: PassedCommand?
    var versus: PassedCommand?
    var launches: [Measurement] = []
    /// What the user compares with in place of `versus`.
    var base: GateBaseline?

    var isCompared: Bool { versus != nil || base?.launches != nil }
  }

  func run() throws {
    let all = try recorded.isEmpty ? gate.scenarios.map(launched) : recorded.map(judged)
    for one in all {
      let scenario = one.scenario
      try command.requireSomething(
        scenario.gate, path, isCompared: one.versus != nil || one.base != nil, scenario: scenario.name)
    }
    let writing = ResultWriting(options: command.comparison)
    if recorded.isEmpty { try writing.checkPlaces() }
    var options = command.comparison.comparisonOptions(over: gate.options)
    let family = ScenarioFamily(tail: options.tail, count: all.count(where: \.isCompared))
    let total = options.tail
    options.tail = family.strictest
    var results: [GateResult] = []
    var interruption: Int32?
    for (number, one) in all.enumerated() where interruption == nil {
      let result: GateResult
      (result, interruption) = try judge(one, number: number + 1, of: all.count, options)
      results.append(result)
    }
    results = family.corrected(results, most: all.map { rounds($0.scenario.gate) ?? LiveBench.mostRounds })
    for place in results.indices {
      var held = options
      held.tail = total
      try command.hold(all[place].scenario.gate, path, held, &results[place])
      results[place].inconclusiveFails = command.policy(gate) == .fail
    }
    if !recorded.isEmpty, !recorded.isOfPrograms { tellOfUnknown(&results) }
    var suite = GateSuite(results, confidence: 1 - 2 * total, isOfPrograms: recorded.isOfPrograms)
    suite.unchecked = unrecorded
    try command.requireChecked(results, unchecked: suite.unchecked)
    try writing.write(suite)
    try endIfInterrupted(by: interruption)
    try GateStatus.end(suite.status, command.policy(gate))
  }

  /// Scenarios of the file of which there are no recorded launches: their budgets were not checked. The recording of one may have
  /// failed.
  private var unrecorded: [String] {
    guard !recorded.isEmpty, !recorded.isOfPrograms else { return [] }
    return gate.scenarios.map(\.name).filter { name in !recorded.contains { $0.scenario == name } }
      .map { "no launch is of the scenario \(shown($0)), so it was not checked" }
  }

  /// Recorded launches of a scenario that the file does not have.
  private func tellOfUnknown(_ results: inout [GateResult]) {
    let names = gate.scenarios.map(\.name)
    guard !names.isEmpty else { return }
    for place in results.indices {
      guard let name = results[place].scenario, !names.contains(name) else { continue }
      results[place].notes.append("the configuration has no scenario \(shown(name)), so the budgets of the gate apply")
    }
  }

  /// Launches of a program have the settings of the whole gate, and so have those of a scenario that the file does not have.
  private func judged(_ series: LaunchSeries) throws -> Judged {
    let scenario =
      gate.scenarios.first { $0.name == series.scenario } ?? GateScenario(name: series.name, gate: gate)
    return Judged(
      scenario: scenario, launches: series.launches,
      base: try command.base(
        of: series.launches, command.comparison.comparisonOptions(over: scenario.gate.options), in: series.scenario))
  }

  private func launched(_ scenario: GateScenario) throws -> Judged {
    let given = command.judged.program
    guard given != nil || scenario.program != nil else {
      throw fail(
        "the scenario \(shown(scenario.name)) names no program: add `program: path`, or name one after --",
        status: CommandStatus.usage)
    }
    let program = PassedCommand(given, program: scenario.program, arguments: scenario.arguments)
    // An option has precedence over the file.
    let versus =
      command.own.baseline == nil ? scenario.versus.map { PassedCommand(words: [$0]) } ?? command.live.versus : nil
    let mayLack = command.own.allowMissingBaseline
    try check(program.program, of: scenario)
    if !mayLack, let versus { try check(versus.program, of: scenario, hint: GateCheckCommand.missingBaseHint) }
    return Judged(
      scenario: scenario, program: program,
      versus: versus.map { PassedCommand($0, program: nil, arguments: scenario.arguments) },
      base: try command.base(
        of: program, command.comparison.comparisonOptions(over: scenario.gate.options), in: scenario))
  }

  /// - Throws: `ExitCode`, after printing why, if the program cannot be launched. Found later, it would cost the results of the
  ///   scenarios before it.
  private func check(_ program: String, of scenario: GateScenario, hint: String = "") throws {
    do throws(LaunchError) { try ProgramSearch(program).check() } catch {
      throw fail("the scenario \(shown(scenario.name)): \(error)\(hint)", status: 3)
    }
  }

  private func rounds(_ gate: GateConfiguration) -> Int? { command.own.runs ?? gate.rounds }

  private func judge(
    _ one: Judged, number: Int, of count: Int, _ common: ComparisonOptions
  ) throws -> (GateResult, Int32?) {
    let (scenario, gate) = (one.scenario, one.scenario.gate)
    if one.program != nil, !command.live.launching.quiet { tell("Scenario \(number) of \(count): \(scenario.name)") }
    var options = command.comparison.comparisonOptions(over: gate.options)
    let held = options.tail
    (options.tail, options.seed) = (common.tail, common.seed)
    var (result, interruption): (GateResult, Int32?) = (GateResult(comparison: nil, launches: one.launches), nil)
    if let program = one.program, command.mayLaunch(against: one.base) {
      (result, interruption) = try command.run(one.versus) { versus in
        var bench = command.bench(
          program, versus: versus, gate, options, tail: held, recorded: one.base?.launches ?? [])
        bench.scenario = scenario.name
        bench.environment = scenario.environment
        bench.countsInstructions = bench.countsInstructions && versus != nil
        bench.sharers = count
        bench.traces = bench.traces.map { "\($0)/\(number)" }
        return bench
      }
    }
    result.scenario = scenario.name
    command.compare(&result, with: one.base, options)
    return (result, interruption)
  }
}
