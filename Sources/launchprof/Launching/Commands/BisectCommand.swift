// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchComparison
import LaunchReport

struct BisectCommand: ParsableCommand {
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
  var metric: ExactComparison.Metric?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this time (default: 120min; units: ms, s, min).", valueName: "time"),
    transform: TimeLimit.init(text:))
  var maxTime: TimeLimit?

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
    let passed = PassedCommand(command)
    // The programs of all commits are alike.
    let messages = LaunchMessages()
    func measured(_ program: CommitProgram) throws -> Measurement { try measure(program, telling: messages) }
    do {
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
    } catch let error as CommitError { throw error.ending() }
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
    ] + PassedCommand(command).arguments.map { "argument \($0)" }
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

  // MARK: Result

  private func report(_ outcome: CommitSearch.Outcome, builds: Int, launches: Int) throws {
    var text = OutputText()
    var status: Int32 = 0
    switch outcome {
    case .notSlower(let reason): text.line("NOTHING TO FIND: \(reason)")
    case .undecided(let reason, let commits):
      text.line("INCONCLUSIVE: \(reason)")
      for commit in commits { text.line("  \(commit.hash.prefix(12))  \(commit.subject)") }
      status = 4
    case .found(let commits, let evidence):
      text.line(
        commits.count == 1
          ? "FOUND" : "FOUND: one of \(commits.count) commits, of which only the last one builds and starts")
      for commit in commits { text.line("  \(commit.hash.prefix(12))  \(commit.subject)") }
      for line in Self.lines(evidence) { text.line("  \(line)") }
      status = 2
    }
    text.line("\(builds) build\(builds == 1 ? "" : "s"), \(launches) launch\(launches == 1 ? "" : "es")")
    try text.write()
    if status != 0 { throw ExitCode(status) }
  }

  /// `phase load +25.7 %`; of a part that took no time before: `phase load/libl.so new, 0.08 ms`.
  static func text(_ part: MetricComparison) -> String {
    let (label, change) = (ComparisonSentences.label(part.metric), part.shift.estimate)
    guard part.presence == .headOnly || !change.relative.isFinite else {
      return "\(label) \(SelftestResult.signed(change.relative))"
    }
    let isTime = part.metric.unit == .nanoseconds
    return "\(label) new" + (isTime ? ", \(DecimalText.milliseconds(Int64(change.absolute))) ms" : "")
  }

  private static func lines(_ evidence: CommitSearch.Evidence) -> [String] {
    var lines: [String] = []
    if let values = evidence.values { lines.append("\(values.before) before it, \(values.with) with it") }
    if let comparison = evidence.comparison, let total = comparison.total {
      let shifts = [("total", total.shift)] + (comparison.cpu.map { [("cpu", $0.shift)] } ?? [])
      for (name, shift) in shifts {
        lines.append("\(name): \(SelftestResult.text(shift))" + " against the commit before it, \(shift.count) rounds")
      }
      let guilty = comparison.guilty.prefix(3).map(Self.text)
      if !guilty.isEmpty { lines.append("where: " + guilty.joined(separator: ", ")) }
      // Parts are wall time. If the whole of it may not have grown at all, its largest part says nothing.
      let path = total.shift.lower.relative > 0 ? comparison.flame.mostGrown.dropFirst() : []
      if !path.isEmpty { lines.append("most of it in: " + path.joined(separator: " > ")) }
    }
    lines += evidence.rest.map { "rest: " + $0 } + evidence.explanation
    let sure = evidence.probability > 0.999 ? "more than 99.9 %" : SelftestResult.percent(evidence.probability)
    return lines + ["probability by the search: \(sure)"]
  }
}

extension ExactComparison.Metric: ExpressibleByArgument {}
