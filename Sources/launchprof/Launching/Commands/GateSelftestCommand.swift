// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison

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
    tellLine("Comparing the program with a copy that is delayed by \(SelftestResult.percent(delay.part))")
    let slower = try compare(gate, options, delay: delayTime)
    guard let result = SelftestResult(same: same, slower: slower, delay: delay.part) else {
      throw fail("no launch counts", status: 3)
    }
    var output = OutputText()
    for line in result.lines { output.line(line) }
    try output.write()
    if result.status != 0 { throw ExitCode(result.status) }
  }

  /// Makes all rounds, even if the verdict is known earlier, because the width of the interval is the result.
  private func compare(
    _ gate: GateConfiguration, _ options: ComparisonOptions, delay: Int64
  ) throws -> LaunchComparison {
    let passed = PassedCommand(command)
    var bench = launching.completed(by: gate).bench(passed, versus: passed, maxRuns: runs, options)
    (bench.inPlace, bench.looksOnce, bench.headDelay) = (inPlace, true, delay)
    return try bench.comparison(isQuiet: true) { tell("Launched where it is, without copies: \($0)") }
  }

  private func tellLine(_ text: String) { if !launching.quiet { tell(text) } }
}
