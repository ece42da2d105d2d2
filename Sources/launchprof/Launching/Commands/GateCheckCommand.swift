// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchReport

struct GateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check launches. This is the default: `gate` alone does the same.",
    usage: """
      launchprof gate [<options>] [--baseline <baseline>] <trace> ...
      launchprof gate [<options>] [--baseline <baseline> | --vs <command>] -- <program> [<arguments> ...]
      """,
    discussion: GateStatus.help)

  @OptionGroup var file: GateFileOption

  @OptionGroup var own: GateCheckOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var comparison: ComparisonOptionGroup

  @OptionGroup var judged: SubjectArgument

  func validate() throws {
    try judged.validate(help: Self.self, verb: "gate")
    try RunCount.validate(own.runs, option: "--runs")
    if own.configuration != nil, own.baseline == nil {
      throw ValidationError("--configuration selects launches of the history: add --baseline.")
    }
    if own.nearestAncestor, own.baseline == nil {
      throw ValidationError("--nearest-ancestor chooses a commit of the history: add --baseline.")
    }
    // An empty variable of a CI job.
    if own.baseline == "" { throw ValidationError("--baseline is empty: expected a directory or a name.") }
    if live.vs != nil, own.baseline != nil { throw ValidationError("--baseline and --vs cannot be combined.") }
    if live.vs != nil, !judged.isProgram, !judged.captured.isEmpty {
      throw ValidationError("--vs compares two programs: name the one to judge after --.")
    }
    // Without an argument, scenarios name the programs.
    if !judged.captured.isEmpty { try judged.validateLaunches(with: (own.runs != nil ? ["--runs"] : []) + live.given) }
  }

  func run() throws {
    let (path, gate) = try file.read()
    // Scenarios may name their programs themselves.
    if gate.scenarios.isEmpty { try judged.requireIsNamed(verb: "gate") }
    let hasVersus = live.vs != nil || gate.scenarios.contains { $0.versus != nil }
    if !hasVersus, let reason = live.needsVersus { throw fail(reason, status: CommandStatus.usage) }
    if own.allowMissingBaseline, own.baseline == nil, !hasVersus {
      throw fail("--allow-missing-baseline has no effect without --baseline or --vs", status: CommandStatus.usage)
    }
    let isLive = judged.isProgram || judged.captured.isEmpty
    if isLive { comparison.tellDoubtfulMetrics() }
    if isLive, !gate.scenarios.isEmpty { return try ScenarioRun(command: self, path: path, gate: gate).run() }
    let options = comparison.comparisonOptions(over: gate.options)
    if !comparison.metric.isEmpty, own.baseline == nil, live.vs == nil {
      tell("--metric has no effect without a comparison")
    }
    let writing = ResultWriting(options: comparison)
    let traces = try judged.traces()
    try writing.checkPlaces(inputs: traces + (own.baseline.flatMap { try? TraceArguments.resolve([$0]) } ?? []))
    let recorded = traces.isEmpty ? [] : try Measuring.read(traces)
    let series = LaunchSeries.all(of: recorded)
    if series.count > 1 || series.first?.scenario != nil {
      return try ScenarioRun(command: self, path: path, gate: gate, recorded: series).run()
    }
    try requireSomething(gate, path, isCompared: own.baseline != nil || live.vs != nil)
    var (result, interruption): (GateResult, Int32?) = (GateResult(comparison: nil, launches: recorded), nil)
    // A missing baseline is reported before a hundred launches.
    let base = try judged.program.map { try self.base(of: $0, options) } ?? self.base(of: recorded, options)
    if let program = judged.program, mayLaunch(against: base) {
      (result, interruption) = try run(live.versus) { versus in
        bench(program, versus: versus, gate, options, tail: options.tail, recorded: base?.launches ?? [])
      }
    }
    compare(&result, with: base, options)
    try hold(gate, path, options, &result)
    if let unchecked = Self.uncheckedScenarios(of: gate) { result.unchecked.append(unchecked) }
    result.inconclusiveFails = policy(gate) == .fail
    try requireChecked([result])
    try writing.write(result)
    try endIfInterrupted(by: interruption)
    try GateStatus.end(result.status, policy(gate))
  }

  /// Of recorded launches of no scenario: says that they are not held to the budgets of scenarios. The verdict would look like one
  /// about these, too. nil if no scenario has its own.
  private static func uncheckedScenarios(of gate: GateConfiguration) -> String? {
    let names = gate.scenarios.filter { $0.gate.budgets != gate.budgets }.map { shown($0.name) }
    guard !names.isEmpty else { return nil }
    return "these traces are of no scenario, so the budgets of the scenarios were not checked "
      + "(\(names.joined(separator: ", ")))"
  }

  /// - Parameter unchecked: what belongs to none of the results.
  /// - Throws: `ExitCode` if all results passed only because no launch has what the budgets name.
  func requireChecked(_ results: [GateResult], unchecked: [String] = []) throws {
    guard results.allSatisfy(\.checkedNothing) else { return }
    if comparison.format == .github {
      try FileOutput.write(to: nil) { sink, _ in try ComparisonAnnotations.writeNothingChecked(results, to: sink) }
    }
    // A result would say that the launches passed.
    for note in Set(results.flatMap(\.remarks) + unchecked).sorted() { tell(note) }
    throw fail("nothing was checked: no launch has what the budgets name")
  }

  /// - Parameter scenario: the name of the one that has these settings; nil for the whole file.
  /// - Throws: `ExitCode` if there is neither a budget nor a comparison.
  func requireSomething(_ gate: GateConfiguration, _ path: String?, isCompared: Bool, scenario: String? = nil) throws {
    guard !gate.budgets.isEmpty || !gate.named.namesNothing || isCompared else {
      if let scenario {
        throw fail(
          "nothing to check in the scenario \(shown(scenario)): it has no budgets and no `vs`, and neither has the gate; "
            + "add `budgets: {total: {p50: 400ms}}`", status: CommandStatus.usage)
      }
      if !gate.scenarios.isEmpty {
        throw fail(
          "nothing to check: \(path ?? BudgetsFile.defaultPath) has budgets only in scenarios, and the traces are of "
            + "none; leave the traces out, or add budgets for all launches", status: CommandStatus.usage)
      }
      let reason = path.map { "\($0) has no budgets" } ?? "there is no \(BudgetsFile.defaultPath)"
      throw fail(
        "nothing to check: \(reason), and neither --baseline nor --vs is given; launchprof gate init writes budgets",
        status: CommandStatus.usage)
    }
  }

  func policy(_ gate: GateConfiguration) -> InconclusivePolicy { comparison.inconclusive ?? gate.inconclusive ?? .fail }

  /// Checks the head against the budgets. The result also says whether the base is over them.
  func hold(
    _ gate: GateConfiguration, _ path: String?, _ options: ComparisonOptions, _ result: inout GateResult
  ) throws {
    let (base, head) = result.sides
    let (checks, named) = try gate.told(in: path) { () throws(BudgetError) in
      try gate.checks(of: head, base: base, tail: options.tail)
    }
    (result.budgets, result.tail) = (checks, options.tail)
    // A result that neither compares nor checks shows at least what was measured.
    if result.comparison != nil || !checks.isEmpty { result.summary = [] }
    let unmatched = result.pace == nil ? named.unmatched : named.unmatched.map(\.withAdvice)
    result.unmatched = unmatched + (checks.isEmpty ? named.inapplicable : [])
    if let comparison = result.comparison { result.unmatched += gate.options.exact.unchecked(in: comparison) }
    for budget in result.unmatched { result.notes.append("\(path ?? BudgetsFile.defaultPath): \(budget.sentence)") }
  }

  /// The launches that a configuration asks for. Without a number, they go on while a budget is inconclusive.
  ///
  /// - Parameters:
  ///   - tail: of the budgets' checks.
  ///   - recorded: the launches of a recorded baseline.
  func bench(
    _ program: PassedCommand, versus: PassedCommand?, _ gate: GateConfiguration, _ options: ComparisonOptions,
    tail: Double, recorded: [Measurement]
  ) -> LiveBench {
    let isCompared = versus != nil
    let asked = own.runs ?? (isCompared ? gate.rounds : gate.runs)
    let standard = isCompared ? nil : GateConfiguration.standardRuns
    var bench = live.bench(program, maxRuns: asked ?? standard, options, gate: gate)
    (bench.versus, bench.runsOption) = (versus.map { ($0.program, $0.arguments) }, "--runs")
    if isCompared || asked == nil, policy(gate) == .fail {
      let most =
        isCompared ? asked ?? LiveBench.mostRounds : GateConfiguration.standardRuns << LiveSeries.mostDoublings
      bench.areBudgetsDecided = { base, head in
        // A launch that failed is the result already.
        head.contains { $0.leftOut == .failed }
          || gate.areBudgetsDecided(base: isCompared ? base : recorded, head: head, tail: tail, most: most)
      }
    }
    return bench
  }
}
