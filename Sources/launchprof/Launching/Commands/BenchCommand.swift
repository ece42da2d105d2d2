// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract:
      "Launch a program many times; with --vs, in turns with another one, until one is shown to be slower.",
    usage: "launchprof bench [--vs <command>] [<options>] -- <program> [<arguments> ...]",
    discussion: """
      With --vs, the program is the head and the other command is the base. Each round launches both, in random \
      order, from copies that bench makes at the start. bench evaluates the result after 10, 20, 40, … rounds. It stops when the result is certain, or \
      at --max-runs or --max-time. --confidence holds for all evaluations together.

      Without --vs, bench launches the program --max-runs times, or until it knows the median to 2 %.

      The traces are kept in <program>-<date>-<time>.bench/base and /head, for launchprof compare.

      \(GateStatus.help)
      """)

  @Option(
    help: ArgumentHelp(
      "Largest number of rounds (default: 320), or of launches without --vs (default: 100).", valueName: "n"))
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
    if live.vs == nil, let reason = live.needsVersus { throw ValidationError(reason) }
    if let metric = comparison.metric.first, live.vs == nil {
      throw ValidationError("--metric \(shown(metric)): only a comparison shows metrics; add --vs.")
    }
    if live.vs == nil, let option = comparison.givenForComparisons.first {
      throw ValidationError("\(option) has an effect only on a comparison: leave it out, or add --vs.")
    }
  }

  func run() throws {
    let writing = ResultWriting(options: comparison)
    try writing.checkPlaces()
    comparison.tellDoubtfulMetrics()
    let bench = live.bench(PassedCommand(command), maxRuns: maxRuns, comparison.comparisonOptions())
    var (result, interruption) = try bench.run(isQuiet: live.launching.quiet)
    result.inconclusiveFails = comparison.inconclusive ?? .fail == .fail
    try writing.write(result)
    try endIfInterrupted(by: interruption)
    try GateStatus.end(result.status, comparison.inconclusive ?? .fail)
  }
}
