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

  @Option(
    help: ArgumentHelp("Launch this command in turns with the program, and compare live.", valueName: "command"))
  var vs: String?

  @Option(help: ArgumentHelp("Launches of the program (default: 60); with --vs the most rounds.", valueName: "n"))
  var runs: Int?

  @Option(help: ArgumentHelp("Stop after so long (default: 10min).", valueName: "time"))
  var maxTime: TimeLimit?

  @Option(help: ArgumentHelp("Launches before them that do not count.", valueName: "n"))
  var warmup = 1

  @Option(help: ArgumentHelp("End a launch and all it started after so long.", valueName: "seconds"))
  var timeout: TimeLimit?

  @Option(help: ArgumentHelp("Where the traces go.", valueName: "dir"), completion: .directory)
  var traces: String?

  @Flag(help: "With --vs: launch the programs where they are, and not fresh copies of them.")
  var inPlace = false

  @Flag(name: .shortAndLong, help: "No progress; the result and errors only.")
  var quiet = false

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var readiness: ReadinessOptions
  @OptionGroup var comparison: ComparisonOptionGroup

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Traces; or -- and the program to launch, and its arguments.", valueName: "trace|program"),
    completion: .file())
  var subject: [String]

  func validate() throws {
    try GateSubject.validate(subject, help: Self.self, verb: "gate")
    if let runs, !(1...100_000).contains(runs) { throw ValidationError("--runs \(runs): expected 1 to 100000.") }
    if !(0...1000).contains(warmup) { throw ValidationError("--warmup \(warmup): expected 0 to 1000 launches.") }
    guard let vs else { return }
    if baseline != nil { throw ValidationError("--baseline and --vs: the one or the other.") }
    if subject.first != "--" { throw ValidationError("--vs launches programs: name the other one behind --.") }
    if ShellWords.split(vs)?.isEmpty != false {
      throw ValidationError("--vs \(shown(vs)): expected a command, with its quotes closed.")
    }
  }

  func run() throws {
    let (file, gate) = try readConfiguration()
    let options = comparison.comparisonOptions(over: gate.options)
    guard !gate.budgets.isEmpty || baseline != nil || vs != nil else {
      throw fail(
        "nothing to hold the launches against: \(file ?? BudgetsFile.defaultPath) has no gate: budgets:, and there is "
          + "neither --baseline nor --vs; make one with launchprof gate init", status: CommandStatus.usage)
    }
    // A baseline that is missing must not cost a hundred launches first.
    let base = try baseline.map { try GateBaseline($0, store: store) }
    var (result, interruption) = try judged(gate, options)
    try compare(&result, with: base, options)
    try check(&result, gate, options, file: file)
    try ResultWriting(options: comparison).write(result)
    if let interruption {
      endByProcessSignal(interruption)
      throw ExitCode(128 + interruption)
    }
    try GateStatus.end(result, comparison.inconclusive ?? gate.inconclusive ?? .fail)
  }

  private func readConfiguration() throws -> (path: String?, GateConfiguration) {
    guard let path = config ?? BudgetsFile.presentDefault else { return (nil, GateConfiguration()) }
    do throws(BudgetsFileError) {
      let file = BudgetsFile(path: path)
      _ = try file.read()
      return (path, try file.readGate())
    } catch { throw fail(error, status: CommandStatus.failure) }
  }

  private func judged(_ gate: GateConfiguration, _ options: ComparisonOptions) throws -> (GateResult, Int32?) {
    switch GateSubject(subject) {
    case .traces(let arguments):
      return (GateResult(comparison: nil, launches: try Measuring.measurements(arguments)), nil)
    case .program(let program):
      let versus = vs.flatMap(ShellWords.split)
      let standard = versus == nil ? GateConfiguration.standardRuns : nil
      var (result, interruption) = try LiveBench(
        program: program, versus: versus, maxRuns: runs ?? gate.runs ?? standard, maxTime: maxTime?.nanoseconds,
        warmups: warmup, timeout: timeout?.nanoseconds, traces: traces, inPlace: inPlace, isQuiet: quiet,
        readiness: readiness, options: options
      ).run()
      result.summary = []
      return (result, interruption)
    }
  }

  private func compare(_ result: inout GateResult, with base: GateBaseline?, _ options: ComparisonOptions) throws {
    switch base {
    case nil: break
    case .missing(let reason): result.baselineProblem = reason
    case .launches(let launches) where launches.allSatisfy({ $0.leftOut != nil }):
      result.baselineProblem = "no launch of the baseline counts"
    case .launches(let launches):
      result.comparison = LaunchComparison(base: launches, head: result.launches, options: options)
    }
  }

  /// Budgets are the head's.
  private func check(
    _ result: inout GateResult, _ gate: GateConfiguration, _ options: ComparisonOptions, file: String?
  ) throws {
    let head = result.comparison?.head ?? result.launches
    do throws(BudgetError) {
      result.budgets = try BudgetCheck.all(gate.budgets, of: head, tail: options.tail)
    } catch {
      let place = gate.budgets.firstIndex { $0.metric == error.metric }.flatMap { gate.places[$0] }
      let position = place.map { ":\($0.line):\($0.column)" } ?? ""
      throw fail("\(file ?? BudgetsFile.defaultPath)\(position): \(error)", status: CommandStatus.failure)
    }
  }
}
