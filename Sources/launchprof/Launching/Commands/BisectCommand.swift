// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchReport

struct BisectCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Find the commit that made launches slower.",
    usage:
      "launchprof bisect --good <commit> [--bad <commit>] --build <command> [<options>] -- <program> [<arguments> ...]",
    discussion: """
      Name the program by the path at which the build puts it, from the root of the working tree: .build/release/app. bisect \
      builds commits in its own working tree, and does not touch yours. Launches begin in the root of a working tree with \
      the files of their commit.

      First, bisect compares the bad commit with the good one. Then it launches other commits in turns with the good one, \
      those that tell the most first, until it is 99 % sure of one. It compares that commit with the one before it. To \
      continue an interrupted search, start it again with the same arguments. docs/faster.md says more.

      Exit status 2: the commit is found. 0: the bad commit is not slower. 3: launches of the good or the bad one failed. \
      4: inconclusive. 64: wrong options. 1: any other failure.
      """)

  @Option(help: ArgumentHelp("A commit that was fast, an ancestor of the bad one.", valueName: "commit"))
  var good: String

  @Option(help: ArgumentHelp("A commit that is slow.", valueName: "commit"))
  var bad = "HEAD"

  @Option(
    help: ArgumentHelp("Shell command that builds the program in the root of a working tree.", valueName: "command"))
  var build: String

  @Option(
    help: ArgumentHelp("Search by a count that never varies, with one launch for each commit.", valueName: "metric"))
  var metric: ExactCount?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this time (default: 120min; units: ms, s, min).", valueName: "time"),
    transform: TimeLimit.init(text:))
  var maxTime: TimeLimit?

  @Option(help: "Format of the result on standard output.")
  var format = Format.text

  @OptionGroup var thresholds: ThresholdOptions
  @OptionGroup var launching: LaunchingOptions

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      "The program to launch, by its path in the working tree, and its arguments.", valueName: "program"))
  var command: [String]

  private static let standardTime: Int64 = 7_200_000_000_000

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "bisect")
    let program = PassedCommand(command).program
    if program.hasPrefix("/") || program.split(separator: "/").contains("..") {
      throw ValidationError(
        "\(shown(program)): name the program by its path in the working tree, such as .build/release/app")
    }
  }

  func run() throws {
    defer { tellOfLostInput() }
    let passed = PassedCommand(command)
    // The programs of all commits are alike.
    let messages = LaunchMessages()
    func measured(_ program: CommitProgram) throws -> Measurement { try measure(program, telling: messages) }
    let search = try CommitSearch(
      around: ".", build: build, program: passed.program, workload: workload, metric: metric,
      mostTime: maxTime?.nanoseconds ?? Self.standardTime,
      compare: { try compare($0, $1, rounds: $2, telling: messages) }, measure: measured,
      explain: {
        try CommitExplanation(command: PassedCommand(command), launching: launching).lines($0, $1, measured)
      },
      tell: { if !launching.quiet { tell($0) } })
    let outcome = try search.run(good: good, bad: bad)
    try report(outcome, builds: search.buildCount, launches: search.launches)
  }

  // MARK: Launches

  /// What is in the files of a program may change from commit to commit; it is its time that is searched by.
  private var options: ComparisonOptions {
    var options = ComparisonOptions()
    thresholds.apply(to: &options)
    options.allowed = [.toolchain, .buildMode]
    options.exact = .unlimited
    return options
  }

  /// What decides, besides the commits and the build, how long a launch takes and what counts as slower.
  private var workload: [String] {
    let readiness = launching.readiness
    return [
      "ready \(readiness.ready.map { "\($0)" } ?? "")", "settle \(readiness.settle?.nanoseconds ?? 0)",
      "timeout \(launching.timeout?.nanoseconds ?? 0)",
      "thresholds \(options.relative.map { "\($0)" } ?? "") \(options.absolute.map { "\($0)" } ?? "")",
    ] + (readiness.success ?? []).sorted().map { "success \($0)" }
      + PassedCommand(command).arguments.map { "argument \($0)" }
  }

  private func compare(
    _ base: CommitProgram, _ head: CommitProgram, rounds: Int?, telling messages: LaunchMessages
  ) throws -> LaunchComparison {
    let passed = PassedCommand(command)
    var bench = launching.bench(
      passed, versus: passed.launching(base.path), maxRuns: rounds, options, telling: messages)
    (bench.program, bench.looksOnce) = (head.path, rounds != nil)
    bench.directories = (base.directory, head.directory)
    return try bench.comparison(isQuiet: true) { reason in
      throw fail("the programs of two commits cannot be launched from copies: \(reason)")
    } failing: { failed, summary in
      let isHead = failed.allSatisfy { $0.provenance.side == "head" }
      return CommitError.launchFailed(isHead ? head.path : base.path, summary)
    }
  }

  private func measure(_ program: CommitProgram, telling messages: LaunchMessages) throws -> Measurement {
    let directory = try TemporaryTraces()
    var bench = launching.bench(PassedCommand(command), versus: nil, maxRuns: 1, options, telling: messages)
    (bench.program, bench.traces) = (program.path, directory.path + "/head")
    bench.directories.head = program.directory
    // These are counted in a launch of their own.
    if metric == .lazyGlobals { bench.details = [.globals] }
    if metric == .firstLookups { bench.details = [.conformances] }
    let (result, interruption) = try bench.run(isQuiet: true)
    _ = consume directory
    try endIfInterrupted(by: interruption)
    guard let launch = result.launches.first, launch.leftOut == nil else {
      throw CommitError.launchFailed(program.path, FailedLaunches(result.launches).summary)
    }
    return launch
  }
}

extension ExactCount: ExpressibleByArgument {}
