import ArgumentParser
import LaunchAnalysis
import LaunchComparison

/// How a program is launched alone, or in turns with another one: shared by `bench` and `gate`.
struct LiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Launch this command in turns with the program, and compare live; in quotes: 'old/app --flag'.",
      valueName: "command"))
  var vs: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after so long (default: 10min).", valueName: "time"))
  var maxTime: TimeLimit?

  @Option(parsing: .unconditional, help: ArgumentHelp("Launches before them that do not count.", valueName: "n"))
  var warmup = 1

  @Option(help: ArgumentHelp("Where the traces go.", valueName: "dir"), completion: .directory)
  var traces: String?

  @Flag(help: "With --vs: launch the programs where they are, and not fresh copies of them.")
  var inPlace = false

  @OptionGroup var launching: LaunchingOptions

  /// The words of the other command.
  var versus: [String]? { vs.flatMap(ShellWords.split) }

  func validate() throws {
    if !(0...1000).contains(warmup) { throw ValidationError("--warmup \(warmup): expected 0 to 1000 launches.") }
    if let vs, versus?.isEmpty != false {
      throw ValidationError("--vs \(shown(vs)): expected a command, with its quotes closed.")
    }
  }

  func bench(_ program: PassedCommand, maxRuns: Int?, _ options: ComparisonOptions) -> LiveBench {
    var bench = launching.bench(program, versus: versus, maxRuns: maxRuns, options)
    (bench.maxTime, bench.warmups, bench.traces, bench.inPlace) = (maxTime?.nanoseconds, warmup, traces, inPlace)
    return bench
  }
}

/// How many times.
enum RunCount {
  /// - Throws: `ValidationError` for what is out of range.
  static func validate(_ count: Int?, option: String, unit: String = "", least: Int = 1) throws {
    if let count, !(least...100_000).contains(count) {
      throw ValidationError("\(option) \(count): expected \(least) to 100000\(unit).")
    }
  }
}
