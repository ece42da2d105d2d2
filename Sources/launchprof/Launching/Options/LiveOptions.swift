// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchObserver

/// How a program is launched alone, or in turns with another one. `bench` and `gate` have these options.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .customLong("vs"),
    help: ArgumentHelp(
      "Compare with this command: launch both in turns. Quote it if it has arguments: 'old/app --flag'.",
      valueName: "command"), completion: .file())
  var commands: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Stop after this time (default: 10min).", valueName: "time"),
    transform: TimeLimit.init(text:))
  var maxTime: TimeLimit?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Warm-up launches, which do not count (default: 1).", valueName: "n"))
  var warmup: Int?

  @Option(help: ArgumentHelp("Directory for the traces.", valueName: "dir"), completion: .directory)
  var traces: String?

  @Option(
    help: ArgumentHelp(
      "With --vs: also count the instructions of both programs, and compare them: instructions.", valueName: "what"))
  var counts: CountedEvent?

  @Flag(help: "With --vs: launch the programs where they are, instead of fresh copies of them.")
  var inPlace = false

  /// What of Swift's runtime can be compared besides times.
  enum Detail: String, ExpressibleByArgument, CaseIterable { case globals, conformances }

  @Option(
    help: """
      Also compare what Swift did for the first time, in one more launch of each side. May be repeated.
      globals: the program's lazy globals.
      conformances: first look-ups of conformances, and of types by name.
      """)
  var detail: [Detail] = []

  @OptionGroup var launching: LaunchingOptions

  /// Those that the user gave, and that have an effect only if a program is launched.
  var given: [String] {
    let own = [
      ("--max-time", maxTime != nil), ("--warmup", warmup != nil), ("--traces", traces != nil),
      ("--detail", !detail.isEmpty), ("--in-place", inPlace),
      ("--counts", counts != nil),
    ]
    return own.filter(\.1).map(\.0) + launching.given
  }

  /// Why a given option makes no sense without a second program; nil if all do.
  var needsVersus: String? {
    if inPlace {
      return "--in-place: a program alone is always launched where it is; leave the option out, or add --vs."
    }
    return counts.map { _ in "--counts compares two programs: add --vs." }
  }

  var vs: String? { commands.first }

  /// The other command.
  var versus: PassedCommand? { vs.flatMap(ShellWords.split).map(PassedCommand.init(words:)) }

  func validate() throws {
    if let warmup, !(0...1000).contains(warmup) {
      throw ValidationError("--warmup \(warmup): expected 0 to 1000 launches.")
    }
    if commands.count > 1 { throw ValidationError("--vs: given twice; scenarios of gate compare several programs.") }
    if let vs, versus == nil { throw ValidationError("--vs \(shown(vs)): expected a command with balanced quotes.") }
    if versus?.words.isEmpty == true { throw ValidationError("--vs: expected a command, such as 'old/app --flag'.") }
  }

  /// - Parameter gate: the settings for options that are not given.
  func bench(
    _ program: PassedCommand, maxRuns: Int?, _ options: ComparisonOptions, gate: GateConfiguration = GateConfiguration()
  ) -> LiveBench {
    var bench = launching.completed(by: gate).bench(program, versus: versus, maxRuns: maxRuns, options)
    bench.maxTime = maxTime?.nanoseconds ?? gate.maxTime
    bench.warmups = warmup ?? gate.warmups ?? 1
    (bench.traces, bench.tracesOption, bench.inPlace) = (traces, "--traces", inPlace)
    bench.countsInstructions = counts == .instructions || gate.countsInstructions
    bench.details = Set(detail.compactMap { RuntimeDetail(rawValue: $0.rawValue) })
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

/// What is counted in launches of their own.
enum CountedEvent: String, CaseIterable, ExpressibleByArgument { case instructions }
