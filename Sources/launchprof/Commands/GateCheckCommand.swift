import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchObserver

struct GateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Judge launches: the same as gate alone.",
    usage: """
      launchprof gate [<options>] [--baseline <baseline>] <trace> ...
      launchprof gate [<options>] [--baseline <baseline> | --vs <command>] -- <program> [<arguments> ...]
      """,
    discussion: GateStatus.help)

  @Option(
    help: ArgumentHelp("Budgets and rules (default: launch-budgets.yml here).", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Traces to compare with; or a commit or a baseline of the history.", valueName: "dir|ref"), completion: .file())
  var baseline: String?

  @Option(help: ArgumentHelp("Launches of the program (default: 60); with --vs the most rounds.", valueName: "n"))
  var runs: Int?

  @OptionGroup var live: LiveOptions
  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var comparison: ComparisonOptionGroup

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Traces; or -- and the program to launch, and its arguments.", valueName: "trace|program"),
    completion: .file())
  var subject: [String]

  func validate() throws {
    try GateSubject.validate(subject, help: Self.self, verb: "gate")
    try RunCount.validate(runs, option: "--runs")
    guard live.vs != nil else { return }
    if baseline != nil { throw ValidationError("--baseline and --vs: the one or the other.") }
    if subject.first != "--" { throw ValidationError("--vs launches programs: name the other one behind --.") }
  }

  func run() throws {
    let (file, gate) = try readConfiguration()
    let options = comparison.comparisonOptions(over: gate.options)
    guard !gate.budgets.isEmpty || baseline != nil || live.vs != nil else {
      throw fail(
        "nothing to hold the launches against: \(file ?? BudgetsFile.defaultPath) has no gate: budgets:, and there is "
          + "neither --baseline nor --vs; make one with launchprof gate init", status: CommandStatus.usage)
    }
    let writing = ResultWriting(options: comparison)
    try writing.checkPlaces()
    // What is missing must not cost a hundred launches first.
    let base = try baseline.map { try GateBaseline($0, store: store) }
    var (result, interruption): (GateResult, Int32?) = (GateResult(comparison: nil, launches: []), nil)
    if base?.problem == nil || !GateSubject(subject).isProgram { (result, interruption) = try judged(gate, options) }
    result.baselineProblem = base?.problem
    if case .launches(let launches)? = base {
      result.comparison = LaunchComparison(base: launches, head: result.launches, options: options)
    }
    // Budgets are the head's.
    let head = result.comparison?.head ?? result.launches
    result.budgets = try told(gate, file) { () throws(BudgetError) in
      try BudgetCheck.all(gate.budgets, of: head, tail: options.tail)
    }
    try writing.write(result)
    if let interruption {
      endByProcessSignal(interruption)
      throw ExitCode(128 + interruption)
    }
    try GateStatus.end(result, comparison.inconclusive ?? gate.inconclusive ?? .fail)
  }

  private func readConfiguration() throws -> (path: String?, GateConfiguration) {
    guard let path = config ?? BudgetsFile.presentDefault else { return (nil, GateConfiguration()) }
    let gate: GateConfiguration
    do throws(BudgetsFileError) {
      let file = BudgetsFile(path: path)
      _ = try file.read()
      gate = try file.readGate()
    } catch { throw fail(error, status: CommandStatus.failure) }
    try told(gate, path) { () throws(BudgetError) in try BudgetCheck.checkUnits(gate.budgets) }
    return (path, gate)
  }

  private func judged(_ gate: GateConfiguration, _ options: ComparisonOptions) throws -> (GateResult, Int32?) {
    switch GateSubject(subject) {
    case .traces(let arguments):
      return (GateResult(comparison: nil, launches: try Measuring.measurements(arguments)), nil)
    case .program(let program):
      let standard = live.vs == nil ? GateConfiguration.standardRuns : nil
      var (result, interruption) = try live.bench(program, maxRuns: runs ?? gate.runs ?? standard, options).run()
      result.summary = []
      return (result, interruption)
    }
  }

  /// - Throws: `ExitCode`, after telling what is wrong with a budget, and where it stands.
  private func told<Result>(
    _ gate: GateConfiguration, _ file: String?, _ body: () throws(BudgetError) -> Result
  ) throws -> Result {
    do throws(BudgetError) { return try body() } catch {
      let place = gate.budgets.firstIndex { $0.metric == error.metric }.flatMap { gate.places[$0] }
      let position = place.map { ":\($0.line):\($0.column)" } ?? ""
      throw fail("\(file ?? BudgetsFile.defaultPath)\(position): \(error)", status: CommandStatus.failure)
    }
  }
}
