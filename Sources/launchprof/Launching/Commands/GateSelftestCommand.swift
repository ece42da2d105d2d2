// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchReport

struct GateSelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Measure how small a change this machine can show, and reject thresholds below that.",
    usage: "launchprof gate selftest [<options>] -- <program> [<arguments> ...]",
    discussion: """
      selftest compares the program with a copy of itself, which must show no change. Then it compares the program with \
      a copy that is delayed (it uses the processor for a while before it is executed), which must show a change.

      Exit status 0: both results are right, and the thresholds are above the noise. 2: otherwise. 3: a launch failed. \
      64: wrong options. 1: any other failure.
      """)

  @OptionGroup var file: GateFileOption

  @Option(help: ArgumentHelp("Rounds of each comparison.", valueName: "n"))
  var runs = 80

  @Option(help: ArgumentHelp("Delay, in percent of the launch.", valueName: "percent"))
  var delay = PercentArgument(part: 0.1)

  @OptionGroup var thresholds: ThresholdOptions

  @Flag(help: "Launch the program where it is, instead of fresh copies of it.")
  var inPlace = false

  @OptionGroup var launching: LaunchingOptions

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program to launch, and its arguments.", valueName: "program"), completion: .file())
  var command: [String]

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "gate selftest")
    try RunCount.validate(runs, option: "--runs", unit: " rounds", least: 10)
    if delay.part <= 0 { throw ValidationError("--delay: expected more than 0 percent.") }
  }

  func run() throws {
    let gate = try file.read().1
    var options = gate.options
    thresholds.apply(to: &options)
    tellLine("Comparing the program with a copy of itself, \(runs) rounds, seed \(options.seed)")
    let same = try compare(gate, options, delay: 0)
    guard let noise = same.total else { throw fail("no launch counts", status: 3) }
    let delayTime = Int64(delay.part * noise.shift.base)
    tellLine("Comparing the program with a copy that is delayed by \(Self.percent(delay.part))")
    let slower = try compare(gate, options, delay: delayTime)
    guard let found = slower.total else { throw fail("no launch counts", status: 3) }
    try conclude(SelftestResult(same: noise, slower: found, delay: delay.part))
  }

  /// Makes all rounds, even if the verdict is known earlier, because the width of the interval is the result.
  private func compare(
    _ gate: GateConfiguration, _ options: ComparisonOptions, delay: Int64
  ) throws -> LaunchComparison {
    let directory = try TemporaryTraces.made()
    var bench = launching.completed(by: gate).bench(
      PassedCommand(command), versus: command.first == "--" ? Array(command.dropFirst()) : command, maxRuns: runs,
      options)
    (bench.traces, bench.inPlace, bench.looksOnce, bench.headDelay) = (directory.path, inPlace, true, delay)
    let (result, interruption) = try bench.run(isQuiet: true)
    _ = consume directory
    try endIfInterrupted(by: interruption)
    if let reason = result.launchedInPlace { tell("Launched where it is, without copies: \(reason)") }
    if !result.failed.isEmpty { throw fail("\(result.failed.count) launches failed", status: 3) }
    guard let comparison = result.comparison else { throw fail("no launch counts", status: 3) }
    return comparison
  }

  private func conclude(_ result: SelftestResult) throws {
    for line in result.lines { print(line) }
    if result.status != 0 { throw ExitCode(result.status) }
  }

  private func tellLine(_ text: String) { if !launching.quiet { tell(text) } }

  static func percent(_ part: Double) -> String { SelftestResult.percent(part) }
}
