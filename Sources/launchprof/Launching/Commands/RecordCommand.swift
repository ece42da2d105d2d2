// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchObserver
import LaunchRecord
import LaunchReport
import LaunchShipping
import LaunchSystem

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Launch a program, record the launch, and print a report.",
    usage: "launchprof record [<options>] -- <program> [<arguments> ...]",
    discussion: """
      The program gets the terminal, standard input, standard output and signals as if you had started it directly. \
      The report goes to standard error, so that you can pipe the program's output.

      Each launch is written to a Perfetto trace in the current directory: <program>-<date>-<time>.pftrace. Several \
      runs go to the directory <program>-<date>-<time>.launches.

      Exit status: that of the program (of several runs, the first that is not 0), or the signal that ended it. Those of --success count as 0. \
      123: --enforce found a launch over budget, one that never met --ready, or one whose program could not record. 124: the program ran out of time. 125: launchprof itself failed. \
      126: the program cannot be executed. 127: the program was not found. 64: wrong options.
      """)

  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("Number of launches to record.", valueName: "runs"))
  var runs = 1

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Warm-up launches before them, which are not recorded.", valueName: "n")
  )
  var warmup = 0

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("File for the trace (overwritten), or directory for the traces.", valueName: "file|dir"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("File with budgets (default: launch-budgets.yml here, if it exists).", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var budgets: String?

  @Option(
    name: .customLong("record"),
    help: ArgumentHelp(
      "Also append a launch record (one line of JSON) for each launch to this file, compressed if it ends in .zst or .gz.",
      valueName: "file"),
    completion: .file())
  var recordFile: String?

  @OptionGroup var recordMetadata: RecordMetadataOption

  @Flag(
    help:
      "End with status 123 if a launch is over a budget, never met --ready, or could not record, for scripts. If the program fails, its status has precedence."
  )
  var enforce = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End the program, with every process it started, after this time: 10 (seconds), 500ms, 2min.", valueName: "time"),
    transform: TimeLimit.init(text:))
  var timeout: TimeLimit?

  @OptionGroup var readiness: ReadinessOptions

  @Flag(help: "Record private values (URLs, payloads) in full, not only their kind and size.")
  var unredacted = false

  @OptionGroup var observation: ObservationOptionGroup

  @OptionGroup var conditions: ConditionOptions

  @OptionGroup var detail: DetailOptions

  @Flag(
    name: .shortAndLong,
    help: "Print no report and no progress. Errors, and options that could not be fulfilled, are still printed.")
  var quiet = false

  @OptionGroup var report: ReportOptionGroup

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program to launch, and its arguments.", valueName: "program"), completion: .file())
  var command: [String]

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "record")
    try RunCount.validate(runs, option: "-n", unit: " launches")
    try RunCount.validate(warmup, option: "--warmup", unit: " launches", least: 0)
    // D328
    if let output, runs == 1, ReportFormat(path: output) != nil, !isDirectory(output) {
      throw ValidationError(
        "-o \(shown(output)): record writes a trace, not a report; leave out -o, and then: launchprof report -o \(shown(output))."
      )
    }
    let program = ProgramSearch(PassedCommand(command).program).firstExecutable
    if let output, let program, isSameFile(output, program) {
      throw ValidationError("-o \(shown(output)): is the program to launch; name another file for the trace.")
    }
    if let output, let budgets = budgets ?? BudgetsFile.presentDefault, isSameFile(output, budgets) {
      throw ValidationError("-o \(shown(output)): is the file with the budgets; name another file for the trace.")
    }
    if recordFile == nil, recordMetadata.list != nil {
      throw ValidationError("--metadata: only a launch record has metadata; add --record.")
    }
    if let mistake = recordFile.flatMap({ RecordFileName.mistake($0, option: "--record") }) {
      throw ValidationError(mistake)
    }
    if let recordFile, let output, recordFile == output || isSameFile(recordFile, output) {
      throw ValidationError("--record \(shown(recordFile)): is also the trace's file; name another one.")
    }
    if recordFile == "-" { throw ValidationError("--record -: standard output is the program's; name a file.") }
    if observation.noObservation, detail.asksScheduler {
      throw ValidationError("--detail scheduling: cannot observe the scheduler with --no-observation.")
    }
    if detail.stopsForStacks, let option = observation.optionAgainstSamples {
      throw ValidationError("--detail stacks: no samples are taken with \(option); leave out one of both.")
    }
    if observation.noObservation, let asked = detail.runtime.map(\.rawValue).min() {
      throw ValidationError("--detail \(asked): nothing is observed with --no-observation.")
    }
  }

  func run() throws {
    let budgets = try readBudgets()
    do { try FileOutput.checkPlace(recordFile) } catch { throw ExitCode(CommandStatus.recorderFailure) }
    do throws(ShippingError) { if let recordFile { try LineFile(path: recordFile).check() } } catch {
      throw fail(error, status: CommandStatus.recorderFailure)
    }
    let recorded = RecordedTraces(isReported: !quiet || enforce || recordFile != nil)
    var place: TracePlace?
    let outcome: Result<SeriesOutcome, LaunchError>
    let launches: [RecordedLaunch]
    do throws(LaunchError) {
      let made = try TracePlace(output: output, program: PassedCommand(command).program, runs: runs)
      place = made
      var recorder = try recorder(to: made, budgets: budgets?.flatForm, completing: recorded)
      outcome = record(RunSeries(runs: runs, warmups: warmup), &recorder)
      launches = recorder.launches
      // What was recorded before an error is reported.
      if launches.isEmpty { _ = try outcome.get() }
    } catch {
      place?.removeIfEmpty()
      if case .interrupted(let signal) = error.code { throw Interruption(signal: signal) }
      throw fail(error, status: error.exitStatus)
    }
    if launches.isEmpty { place?.removeIfEmpty() }
    // Records, budgets and the status of the program count even if the reader of the report has ended.
    signal(SIGPIPE, SIG_IGN)
    if case .failure(let error) = outcome { _ = fail(error, status: error.exitStatus) }
    let isReported = tellAbout(launches, recorded, in: place?.path ?? "")
    if let budgets, enforce || !quiet { tellUnmatched(budgets.rules, of: budgets.path, by: recorded.launches) }
    let isKept = appendRecords(of: recorded.launches)
    switch outcome {
    case .success(let outcome): try exit(with: outcome)
    case .failure(let error): throw ExitCode(error.exitStatus)
    }
    // A launch that never met --ready, or of which too little is known, is within no budget.
    if enforce {
      let unrecorded = launches.count { !$0.shortcomings.recorder.isEmpty }
      let broken = BrokenBudgets(recorded.launches, unrecorded: unrecorded).sentences
      for sentence in broken { tell("launchprof: \(sentence)") }
      if !broken.isEmpty { throw ExitCode(CommandStatus.overBudget) }
    }
    if !isReported || !isKept { throw ExitCode(CommandStatus.recorderFailure) }
  }

  /// Appends the launch records for `--record`. Returns false, after a message, if that failed.
  private func appendRecords(of launches: LaunchSet) -> Bool {
    guard let recordFile else { return true }
    let lines = launches.launches.map { $0.timeline.record(metadata: recordMetadata.keys).line }
    recordMetadata.tellUnknown(among: Set(launches.ownLabels.map(\.name)))
    var file = LineFile(path: recordFile)
    do throws(ShippingError) { try file.append(lines) } catch {
      tell("launchprof: \(error)")
      return false
    }
    return true
  }

  /// Prints the names in the budgets file that no launch has: they may be misspelt. So may be a reason or a kind, in the file or
  /// in the program, if no budget applies.
  private func tellUnmatched(_ rules: BudgetRules, of path: String, by launches: LaunchSet) {
    let named = NamedBudgets(rules, of: Measurement.all(launches), tail: 0.005)
    for budget in named.unmatched + (named.checks.isEmpty ? named.inapplicable : []) {
      tell("\(path): \(budget.sentence)")
    }
  }

  /// The budgets that apply, and the path of their file; nil without a file.
  private func readBudgets() throws -> (path: String, rules: BudgetRules, flatForm: String)? {
    guard let path = budgets ?? BudgetsFile.presentDefault else { return nil }
    do {
      let file = BudgetsFile(path: path)
      let rules = try file.read()
      let flatForm = try rules.flatForm()
      if budgets == nil, !quiet {
        // `gate init` writes budgets for the gate only. The gate tells of a mistake among them.
        let reason = rules.rules.isEmpty && hasGateBudgets(file) ? ", because record does not read those of gate" : ""
        tell("Budgets: \(path)" + (rules.rules.isEmpty ? ": none\(reason); the default budgets apply" : ""))
      }
      return (path, rules, flatForm)
    } catch let error as BudgetsFileError {
      throw fail(error, status: CommandStatus.recorderFailure)
    } catch {
      throw fail("\(path): \(error)", status: CommandStatus.recorderFailure)
    }
  }

  private func hasGateBudgets(_ file: BudgetsFile) -> Bool {
    guard let gate = try? file.readGate() else { return false }
    return !gate.budgets.isEmpty || gate.scenarios.contains { !$0.gate.budgets.isEmpty }
  }

  private func recorder(
    to place: TracePlace, budgets: String?, completing recorded: RecordedTraces
  ) throws(LaunchError) -> LaunchRecorder {
    let passed = PassedCommand(command)
    var request = LaunchRequest(
      program: passed.program, arguments: passed.arguments,
      environment: unredacted ? [LaunchVariable.unredacted: "1"] : [:], timeout: timeout?.nanoseconds)
    request.programBytes = ArgumentBytes.last(passed.words.count).first
    readiness.apply(to: &request, runs: runs + warmup, isQuiet: quiet)
    let images = ImageDescriptions()
    return try LaunchRecorder(
      request, to: place, budgets: budgets, conditions: conditions.conditions, version: Version.current,
      observation: observation.options(detail), context: RecordingContext(describeImage: images.description),
      agent: try detail.agent(), complete: recorded.complete)
  }

  private func record(
    _ series: RunSeries, _ recorder: inout LaunchRecorder
  ) -> Result<SeriesOutcome, LaunchError> {
    let progress = ProgressBar(runs: runs + warmup, isQuiet: quiet)
    if runs + warmup > 1 { RepeatedInput.keepPipe() }
    defer { tellOfLostInput() }
    var done = 0
    defer { progress.clear() }
    return Result { () throws(LaunchError) in
      try series.perform(with: &recorder) { run in
        progress.starting(run, done: done)
        done += 1
      }
    }
  }

  /// Says which options could not be fulfilled and what the observation changed, also with `--quiet`.
  private func tellShortcomings(of launches: [RecordedLaunch]) {
    var lines: Set<String> = []
    for shortcomings in launches.map(\.shortcomings) {
      var missing: [(option: String, reason: String)] = [
        ("--detail loader", shortcomings.loader), ("--detail scheduling", shortcomings.scheduling),
        ("--detail stacks", shortcomings.stacks),
        ("--detail conformances", shortcomings.lookups), ("--detail calls", shortcomings.calls),
        ("--cold", shortcomings.cold), ("--ready", shortcomings.output), ("observation", shortcomings.rights),
        ("recording", shortcomings.recorder),
      ]
      missing += detail.runtime.map { ("--detail \($0.rawValue)", shortcomings.runtime) }
      let hasStacks = detail.stopsForStacks && shortcomings.stacks.isEmpty
      missing += observation.optionsOfTheObserver(hasStacks: hasStacks).map { ($0, shortcomings.observer) }
      for (option, reason) in missing where !reason.isEmpty { lines.insert("\(option): \(reason)") }
    }
    for line in lines.sorted() { tell(line) }
  }

  /// Says where the traces are, and reports them; false if that failed.
  private func tellAbout(_ launches: [RecordedLaunch], _ recorded: RecordedTraces, in place: String) -> Bool {
    tellShortcomings(of: launches)
    guard !quiet else { return true }
    for reason in Set(launches.map(\.shortcomings.ready)).subtracting([""]).sorted() {
      tell("ready by default: \(reason)")
    }
    recorded.naming.refusals.forEach(tell)
    guard let first = launches.first else { return true }
    let others = launches.map(\.otherProcesses).max() ?? 0
    if others > 0 {
      tell(
        "\(others) more process\(others == 1 ? "" : "es") of the launch recorded; only the trace of the launch itself is kept"
      )
    }
    tell(launches.count == 1 ? "Recorded \(first.path)" : "Recorded \(launches.count) launches in \(place)")
    do {
      // A program may write a newer format than this version reads. Reading the file reports that.
      let isWhole = recorded.count == launches.count
      try Reporting.report(isWhole ? recorded.launches : Reporting.launches(launches.map(\.path)), report)
    } catch {
      return (error as? ExitCode)?.rawValue == CommandStatus.brokenPipe
    }
    return true
  }

  /// Ends as the program did. If all launches succeeded and a signal interrupted the series, ends by that signal.
  private func exit(with outcome: SeriesOutcome) throws {
    switch outcome.firstFailure {
    case nil where outcome.completed < runs: try endIfInterrupted(by: outcome.interruption ?? SIGINT)
    case nil: return
    case .exited(let status): throw ExitCode(status)
    case .signalled(let signal): try endIfInterrupted(by: signal)
    case .timedOut: throw ExitCode(CommandStatus.timedOut)
    }
  }
}

extension LaunchError {
  /// If the program is at fault, the status that shells use for a command that they cannot execute.
  var exitStatus: Int32 {
    switch code {
    case .wrongPlace: CommandStatus.usage
    case .notFound: CommandStatus.notFound
    case .notExecutable: CommandStatus.notExecutable
    case .cannotLaunch, .cannotWrite, .cannotCount, .keepsRunning, .interrupted: CommandStatus.recorderFailure
    }
  }
}
