import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchComparison
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

  @OptionGroup var file: GateFileOption

  @Option(
    help: ArgumentHelp(
      "Traces to compare with; or a commit or a baseline of the history.", valueName: "dir|ref"), completion: .file())
  var baseline: String?

  @Option(help: ArgumentHelp("Launches of the program (default: 60); with --vs the most rounds.", valueName: "n"))
  var runs: Int?

  @OptionGroup var live: LiveOptions
  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var comparison: ComparisonOptionGroup

  @OptionGroup var judged: GateSubjectArgument

  func validate() throws {
    try judged.validate(help: Self.self, verb: "gate")
    try RunCount.validate(runs, option: "--runs")
    guard live.vs != nil else { return }
    if baseline != nil { throw ValidationError("--baseline and --vs: the one or the other.") }
    if !judged.subject.isProgram { throw ValidationError("--vs launches programs: name the other one behind --.") }
  }

  func run() throws {
    let (path, gate) = try file.read()
    let options = comparison.comparisonOptions(over: gate.options)
    guard !gate.budgets.isEmpty || baseline != nil || live.vs != nil else {
      throw fail(
        "nothing to hold the launches against: \(path ?? BudgetsFile.defaultPath) has no gate: budgets:, and there is "
          + "neither --baseline nor --vs; make one with launchprof gate init", status: CommandStatus.usage)
    }
    let writing = ResultWriting(options: comparison)
    try writing.checkPlaces()
    // What is missing must not cost a hundred launches first.
    let base = try baseline.map { try GateBaseline($0, store: store) }
    var (result, interruption): (GateResult, Int32?) = (GateResult(comparison: nil, launches: []), nil)
    if base?.problem == nil || !judged.subject.isProgram { (result, interruption) = try launches(gate, options) }
    result.baselineProblem = base?.problem
    if case .launches(let launches)? = base {
      result.comparison = LaunchComparison(base: launches, head: result.launches, options: options)
    }
    // Budgets are the head's.
    let head = result.comparison?.head ?? result.launches
    result.budgets = try gate.told(in: path) { () throws(BudgetError) in
      try BudgetCheck.all(gate.budgets, of: head, tail: options.tail)
    }
    try writing.write(result)
    if let interruption {
      endByProcessSignal(interruption)
      throw ExitCode(128 + interruption)
    }
    try GateStatus.end(result, comparison.inconclusive ?? gate.inconclusive ?? .fail)
  }

  private func launches(_ gate: GateConfiguration, _ options: ComparisonOptions) throws -> (GateResult, Int32?) {
    switch judged.subject {
    case .traces(let arguments):
      return (GateResult(comparison: nil, launches: try Measuring.measurements(arguments)), nil)
    case .program(let program):
      let standard = live.vs == nil ? GateConfiguration.standardRuns : nil
      var (result, interruption) = try live.bench(program, maxRuns: runs ?? gate.runs ?? standard, options)
        .run(isQuiet: live.launching.quiet)
      result.summary = []
      return (result, interruption)
    }
  }
}
