// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import LaunchReport
import LaunchSystem

struct WhatIfCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Predict how much of a launch each change would save.",
    usage: """
      launchprof what-if [<options>] [<trace> ...]
      launchprof what-if [<options>] -- <program> [<arguments> ...]
      launchprof what-if --about <change>
      launchprof what-if --prove <change> --build <command> -- <program> [<arguments> ...]
      """,
    discussion: """
      what-if lists the changes that apply to the program. Each line has the share of the launch that the change would \
      save, the error of that prediction, how to make the change, and the command that proves it. Without a trace, what-if \
      uses the latest recording in the current directory. docs/faster.md describes the predictions.

      --prove builds the program without the change and with it, in scratch copies of this folder. It launches both in \
      turns, and prints the prediction beside the measurement.

      Exit status 0: success. 1: a trace cannot be read. 3: a launch failed. 64: wrong options.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Launches of the program to predict from (default: 10).", valueName: "n"))
  var runs: Int?

  @Option(
    help: ArgumentHelp(
      "Explain this change, or say why it saves nothing: \(Self.known.joined(separator: ", ")).",
      valueName: "change"), completion: .list(Self.known))
  var about: [String] = []

  @Option(
    help: ArgumentHelp(
      "Build the program without this change and with it, and compare: \(BuildChange.names.joined(separator: ", ")). All "
        + "other changes need --changed-build.",
      valueName: "change"), completion: .list(BuildChange.names))
  var prove: String?

  @Option(
    help: ArgumentHelp(
      "With --prove: the command that builds the program, for example 'swift build -c release'.", valueName: "command"))
  var build: String?

  @Option(
    help: ArgumentHelp(
      "With --prove: the command that builds the program with the change (default: --build with the options of the change).",
      valueName: "command"))
  var changedBuild: String?

  @Option(help: "Format of the result (default: the one that the extension of the output names, else text).")
  var format: SavingsFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Write the result to a file (default: standard output).", valueName: "file"), completion: .file()
  )
  var output: String?

  @OptionGroup var launching: LaunchingOptions

  @OptionGroup var subject: SubjectArgument

  private static let standardRuns = 10
  private static let known = LaunchChange.allCases.map(\.rawValue) + UselessChange.allCases.map(\.rawValue)

  func validate() throws {
    try subject.validate(help: Self.self, verb: "what-if")
    try RunCount.validate(runs, option: "--runs")
    if prove != nil || build != nil || changedBuild != nil { try validateProof() }
    if prove != nil || !about.isEmpty, let option = output != nil ? "--output" : format != nil ? "--format" : nil {
      throw ValidationError("\(option): only predictions have formats and files; leave it out.")
    }
    if !about.isEmpty, let other = besidesAbout {
      throw ValidationError("--about explains a change and predicts nothing: leave out \(other).")
    }
    if about.isEmpty { try subject.validateLaunches(with: givenForLaunches) }
    for name in about where !Self.known.contains(name) {
      throw ValidationError(
        "--about \(shown(name)): unknown change; known changes: \(Self.known.joined(separator: ", ")).")
    }
  }

  /// Those that the user gave, and that have an effect only if a program is launched.
  private var givenForLaunches: [String] { (runs != nil ? ["--runs"] : []) + launching.given }

  /// What `--about` does not use, if there is something.
  private var besidesAbout: String? {
    let others = (prove != nil ? ["--prove"] : []) + givenForLaunches
    return others.first ?? (subject.captured.isEmpty ? nil : "the traces or the program")
  }

  private func validateProof() throws {
    guard let prove, let build, let program = subject.program else {
      throw ValidationError(
        "--prove needs the build and the program: --prove static-stdlib --build 'swift build' -- PROGRAM")
    }
    try program.validateIsInFolder(option: "--prove")
    guard let change = BuildChange(prove) else {
      throw ValidationError(
        "--prove \(shown(prove)): no such change, or no build can make it. Options of the build make these: \(BuildChange.names.joined(separator: ", ")). The other changes that --about knows need --changed-build."
      )
    }
    if changedBuild == nil, !BuildChange.names.contains(prove) {
      throw ValidationError(
        "--prove \(shown(prove)): options of the build cannot make this change; add --changed-build, the command that builds the program with it."
      )
    }
    if changedBuild == nil, change.applied(to: build) == nil {
      throw ValidationError(
        "--build \(shown(build)): this is not a single call of swift build or swiftc; add --changed-build, which builds the program with the change."
      )
    }
  }

  func run() throws {
    if !about.isEmpty { return try explain() }
    defer { tellOfLostInput() }
    let runs = runs ?? Self.standardRuns
    try FileOutput.checkPlace(output)
    if let change = prove.flatMap(BuildChange.init), let build, let program = subject.program {
      let changed = changedBuild ?? change.applied(to: build) ?? build
      let proof = WhatIfProof(change: change, build: build, changedBuild: changed, runs: runs, launching: launching)
      return try proof.run(program)
    }
    let (savings, program) =
      try subject.program.map { (try Self.savings(of: $0, runs: runs, launching), fileName($0.program)) } ?? recorded()
    let format = format ?? output.flatMap(ReportFormat.init(path:)).flatMap { .init(rawValue: $0.rawValue) } ?? .text
    try FileOutput.writeOrPrint(to: output) { sink, descriptor in
      let options = ReportOptionGroup.defaults(for: descriptor == STDOUT_FILENO ? descriptor : nil)
      try format.write(savings, program: program, command: subject.program?.words ?? [], options: options, to: sink)
    }
  }

  private func explain() throws {
    var text = OutputText()
    for name in about {
      if let useless = UselessChange(rawValue: name) {
        text.line("\(name) saves nothing. \(useless.explanation) \(useless.measured)")
      } else if let change = LaunchChange(rawValue: name) {
        text.line("\(name): \(change.title(change.anySubject)). How: \(change.how)")
      }
    }
    try text.write()
  }

  private func recorded() throws -> (Savings, program: String) {
    let paths = try subject.traces(orRecent: true)
    try FileOutput.check(output, isNoneOf: paths)
    let timelines = try Self.timelines(of: paths)
    let programs = Set(timelines.map(\.program)).count
    if programs > 1 {
      tell("these are launches of \(programs) different programs, so what changes save of them means little")
    }
    return (Savings(timelines), timelines[0].program)
  }

  /// - Returns: those that count, at least one. A launch that failed does not, even if it is the only one.
  private static func timelines(of paths: [String]) throws -> [LaunchTimeline] {
    let launches = try Reporting.launches(paths)
    let counted = launches.counted.map(\.timeline).filter(\.isComplete)
    guard !counted.isEmpty else { throw fail("no launch counts") }
    for text in launches.leftOutTexts() { tell(text) }
    return counted
  }

  /// Launches with the agent, beside those without it.
  private static let closerLooks = 5

  /// - Parameters:
  ///   - program: what to launch in the command's place; nil for its own program.
  ///   - directory: where it begins; nil for the current directory.
  static func savings(
    of command: PassedCommand, program: String? = nil, in directory: String? = nil, runs: Int,
    _ launching: LaunchingOptions
  ) throws -> Savings {
    let timelines = try launches(of: command, program: program, in: directory, runs: runs, launching)
    // Without an agent, initialisers are not timed.
    guard let agent = try? LoaderAgent() else { return Savings(timelines) }
    return Savings(
      timelines,
      closer: try launches(of: command, program: program, in: directory, runs: closerLooks, launching, agent: agent))
  }

  /// Launches a program and keeps nothing of it.
  private static func launches(
    of command: PassedCommand, program: String?, in place: String?, runs: Int, _ launching: LaunchingOptions,
    agent: LoaderAgent? = nil
  ) throws -> [LaunchTimeline] {
    let directory = try TemporaryTraces()
    var bench = launching.bench(command, versus: nil, maxRuns: runs, ComparisonOptions(), agent: agent)
    bench.traces = directory.path + "/head"
    if let program { bench.program = program }
    bench.directories.head = place
    let (result, interruption) = try bench.run(isQuiet: launching.quiet)
    try endIfInterrupted(by: interruption)
    let counted = result.launches.filter { $0.leftOut == nil }.map(\.name)
    let leftOut = result.launches.map(\.leftOut).filter { $0 != .warmUp }
    let reasons = LaunchSet.LeftOut.text(LaunchSet.LeftOut.counts(leftOut))
    guard !counted.isEmpty else {
      let why = reasons.isEmpty ? "" : ": " + reasons
      throw fail("no launch of \(shown(command.program)) counts\(why)", status: 3)
    }
    if !reasons.isEmpty, agent == nil { tell("left out: \(reasons)") }
    let timelines = try timelines(of: counted)
    _ = consume directory
    return timelines
  }
}

extension SavingsFormat: ExpressibleByArgument {}
