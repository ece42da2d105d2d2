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

  @Option(help: ArgumentHelp("The command to compare with, in quotes: 'old/app --flag'.", valueName: "command"))
  var vs: String?

  @Option(
    help: ArgumentHelp("The most rounds (default: 320), or launches without --vs (default: 100).", valueName: "n"))
  var maxRuns: Int?

  @Option(help: ArgumentHelp("Stop after so long (default: 10min).", valueName: "time"))
  var maxTime: TimeLimit?

  @Option(help: ArgumentHelp("Launches before them that do not count.", valueName: "n"))
  var warmup = 1

  @Option(help: ArgumentHelp("End a launch and all it started after so long.", valueName: "seconds"))
  var timeout: TimeLimit?

  @Option(help: ArgumentHelp("Where the traces go.", valueName: "dir"), completion: .directory)
  var traces: String?

  @Flag(help: "Launch the programs where they are, and not fresh copies of them.")
  var inPlace = false

  @Flag(name: .shortAndLong, help: "No progress; the result and errors only.")
  var quiet = false

  @OptionGroup var readiness: ReadinessOptions
  @OptionGroup var comparison: ComparisonOptionGroup

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program to launch, and its arguments.", valueName: "program"), completion: .file())
  var command: [String]

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "bench")
    if let maxRuns, !(1...100_000).contains(maxRuns) {
      throw ValidationError("--max-runs \(maxRuns): expected 1 to 100000.")
    }
    if !(0...1000).contains(warmup) { throw ValidationError("--warmup \(warmup): expected 0 to 1000 launches.") }
    if let vs, ShellWords.split(vs)?.isEmpty != false {
      throw ValidationError("--vs \(shown(vs)): expected a command, with its quotes closed.")
    }
  }

  func run() throws {
    let bench = LiveBench(
      program: PassedCommand(command), versus: vs.flatMap(ShellWords.split), maxRuns: maxRuns,
      maxTime: maxTime?.nanoseconds, warmups: warmup, timeout: timeout?.nanoseconds, traces: traces, inPlace: inPlace,
      isQuiet: quiet, readiness: readiness, options: comparison.comparisonOptions())
    let (result, interruption) = try bench.run()
    try ResultWriting(options: comparison).write(result)
    if let interruption {
      endByProcessSignal(interruption)
      throw ExitCode(128 + interruption)
    }
    try GateStatus.end(result, comparison.inconclusive ?? .fail)
  }
}
