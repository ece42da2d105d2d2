import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchObserver

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract:
      "Launch a program again and again; with --vs, in turns with another one until it is known which is slower.",
    usage: "launchprof bench [--vs <command>] [<options>] -- <program> [<arguments> ...]",
    discussion: """
      With --vs the program is the head and the other command the base. Each round launches both, in random order; fresh \
      copies of both lie side by side. It is looked at after 10, 20, 40, … rounds, with the error of all looks together kept \
      to what --confidence says, and stops as soon as it is known, or at --max-runs or --max-time.

      Without --vs the program is launched --max-runs times, or until the median is known to 2 %.

      The traces are kept: in <program>-<date>-<time>.bench/base and /head, for launchprof compare.

      \(GateStatus.help)
      """)

  @Option(
    help: ArgumentHelp("The most rounds (default: 320), or launches without --vs (default: 100).", valueName: "n"))
  var maxRuns: Int?

  @OptionGroup var live: LiveOptions
  @OptionGroup var comparison: ComparisonOptionGroup

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program to launch, and its arguments.", valueName: "program"), completion: .file())
  var command: [String]

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "bench")
    try RunCount.validate(maxRuns, option: "--max-runs")
  }

  func run() throws {
    let writing = ResultWriting(options: comparison)
    try writing.checkPlaces()
    let bench = live.bench(PassedCommand(command), maxRuns: maxRuns, comparison.comparisonOptions())
    var (result, interruption) = try bench.run(isQuiet: live.launching.quiet)
    result.inconclusiveFails = comparison.inconclusive ?? .fail == .fail
    try writing.write(result)
    if let interruption {
      endByProcessSignal(interruption)
      throw ExitCode(128 + interruption)
    }
    try GateStatus.end(result, comparison.inconclusive ?? .fail)
  }
}
