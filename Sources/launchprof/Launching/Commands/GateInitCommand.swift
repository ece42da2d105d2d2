// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchComparison
import LaunchReport
import LaunchSystem

struct GateInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Measure launches, and write a commented configuration from them.",
    usage: "launchprof gate init [<options>] [<trace> ... | -- <program> [<arguments> ...]]",
    discussion: """
      gate init measures the median and the ninetieth percentile. Each budget is 1.5 times the upper end of its confidence \
      interval. The file also has --ready, --settle, --timeout and --success, if you give them. An existing file is kept, unless you \
      give --force.
      """)

  @Option(
    name: [.customShort("o", allowingJoined: true), .long], help: ArgumentHelp("File to write.", valueName: "file"))
  var output = BudgetsFile.defaultPath

  @Option(
    help: ArgumentHelp(
      "Number of launches of the program (default: \(GateConfiguration.standardRuns)).", valueName: "n"))
  var runs: Int?

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @OptionGroup var launching: LaunchingOptions

  @OptionGroup var judged: SubjectArgument

  func validate() throws {
    try judged.validate(help: Self.self, verb: "gate init")
    try RunCount.validate(runs, option: "--runs")
    try judged.validateLaunches(with: (runs != nil ? ["--runs"] : []) + launching.given)
  }

  func run() throws {
    try judged.requireIsNamed(verb: "gate init")
    if !force, access(output, F_OK) == 0 {
      throw fail("\(output): already exists; overwrite it with --force, or name another file with -o")
    }
    try FileOutput.checkPlace(output)
    let launches = try measured()
    let failed = launches.filter { $0.leftOut == .failed }
    guard launches.contains(where: { $0.leftOut == nil }) else {
      let reason =
        launches.isEmpty
        ? "the program did not end by itself; say with --ready when it is ready"
        : failed.isEmpty ? "all \(launches.count) were left out" : FailedLaunches(failed).sentence
      throw fail("no launch counts: \(reason)", status: 3)
    }
    if !failed.isEmpty { tell("warning: \(FailedLaunches(failed).sentence). They fail the gate, too") }
    if let wait = ProcessorWait(launches), wait.isMuch {
      tell("warning: \(wait.sentence()), so the budgets are too large: measure on a quiet machine")
    }
    let template = GateTemplate(
      launches, ready: launching.readiness.ready, settle: launching.readiness.settle?.nanoseconds,
      timeout: launching.timeout?.nanoseconds, successes: launching.readiness.success)
    let text = template.text
    try FileOutput.writeOrPrint(to: output, flags: force ? O_TRUNC : O_EXCL) { sink, _ in
      try Array(text.utf8).withUnsafeBytes { try sink.write($0) }
    }
    guard !launching.quiet else { return }
    let config = output == BudgetsFile.defaultPath ? [] : ["--config", output]
    let subject = judged.program.map { ["--"] + $0.words } ?? ["TRACES"]
    // Whole, because it is to be copied.
    let command = CommandText.line(["launchprof", "gate"] + config + subject)
    tell("Wrote \(output). Check its budgets, then run: \(command)")
    if judged.program != nil, let trace = launches.first?.name {
      tell("The traces of these launches are in \(CommandText.line([String(trace.dropLast(fileName(trace).count))]))")
    }
  }

  private func measured() throws -> [Measurement] {
    guard let program = judged.program else {
      let traces = try judged.traces()
      try FileOutput.check(output, isNoneOf: traces)
      let launches = try Measuring.read(traces)
      let series = LaunchSeries.all(of: launches)
      guard series.count <= 1 else {
        let names = series.map { shown($0.name) }.joined(separator: ", ")
        throw fail("the traces are of several programs or scenarios (\(names)): name those of one")
      }
      return launches
    }
    let (result, interruption) = try launching.bench(
      program, versus: nil, maxRuns: runs ?? GateConfiguration.standardRuns, ComparisonOptions()
    )
    .run(isQuiet: launching.quiet)
    tellOfLostInput()
    // Budgets from a part of the launches would replace good ones.
    try endIfInterrupted(by: interruption)
    return result.launches
  }
}
