// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LaunchAnalysis
package import LaunchObserver
internal import LaunchSystem
internal import LaunchTrace

/// Launches programs for `bench` and `gate`, and returns the result.
package struct LiveBench {
  /// A program and its arguments as bytes.
  package typealias Command = (program: String, arguments: [[UInt8]])

  /// The program: a path, or a name to look up in PATH.
  package var program: String
  /// Bytes, because they need not be UTF-8.
  package var arguments: [[UInt8]]
  /// The command of the base; nil to measure the program alone.
  package var versus: Command?
  /// The directories in which the base and the program begin; nil for the current one. With a directory, name the program by
  /// an absolute path.
  package var directories: (base: String?, head: String?) = (nil, nil)
  package var maxRuns: Int?
  /// ns; nil for the standard time.
  package var maxTime: Int64?
  package var warmups = 1
  /// A directory for the traces; nil for a new one.
  package var traces: String?
  /// The option that names another directory for the traces; nil if there is none.
  package var tracesOption: String?
  package var inPlace = false
  package var options: ComparisonOptions
  /// The scenario of a gate, for the traces; nil for none.
  package var scenario: String?
  /// Variables for the programs, added to the environment.
  package var environment: [String: String] = [:]
  /// Whether to evaluate only once, after all rounds.
  package var looksOnce = false
  /// Delay of the program's launches, ns.
  package var headDelay: Int64 = 0
  /// Whether to count the instructions of both programs.
  package var countsInstructions = false
  /// Also compare these uses of Swift's runtime: in one more launch of each side, after all timed launches.
  package var details: Set<RuntimeDetail> = []
  /// Whether the budgets of a gate need no further launches, after these of the base and of the head.
  package var areBudgetsDecided: (_ base: [Measurement], _ head: [Measurement]) -> Bool = { _, _ in true }
  /// Completes a request: how long a launch may take, when it is ready.
  package var complete: (inout LaunchRequest) -> Void
  /// Creates the recorder for a request.
  package var makeRecorder: (LaunchRequest, TracePlace) throws(LaunchError) -> LaunchRecorder

  package init(
    program: String, arguments: [[UInt8]], versus: Command?, maxRuns: Int?, options: ComparisonOptions,
    complete: @escaping (inout LaunchRequest) -> Void,
    makeRecorder: @escaping (LaunchRequest, TracePlace) throws(LaunchError) -> LaunchRecorder
  ) {
    (self.program, self.arguments, self.versus, self.maxRuns) = (program, arguments, versus, maxRuns)
    (self.options, self.complete, self.makeRecorder) = (options, complete, makeRecorder)
  }

  package static let mostRounds = 320
  static let mostLaunches = 100
  /// The option that sets `maxRuns`.
  package var runsOption = "--max-runs"
  /// How many benches share `maxTime`.
  package var sharers = 1
  static let standardTime: Int64 = 600_000_000_000
  /// What one launch may take, also if there is less time for all, ns.
  private static let leastTime: Int64 = 10_000_000_000
  /// How long a program without a rule may run after it kept running, ns.
  private static let lingeringTime: Int64 = 8_000_000_000

  /// Its part of the time, ns.
  package var ownTime: Int64 { (maxTime ?? Self.standardTime) / Int64(sharers) }

  /// - Parameters:
  ///   - made: rounds, or launches of a program alone.
  ///   - time: that they took, ns.
  func pace(_ made: Int, _ time: Int64, most: Int) -> LivePace {
    var pace = LivePace(made: made, time: time, most: most, mostTime: ownTime, option: runsOption)
    pace.sharers = sharers
    return pace
  }

  /// - Returns: the result, and the signal by which the user asked to stop.
  /// - Throws: `LaunchError` when a program cannot be launched, `TraceError` when a trace cannot be read.
  package func run(telling progress: some LiveProgress) throws -> (result: GateResult, interruption: Int32?) {
    let silence = SilencedOutput()
    defer { withExtendedLifetime(silence) {} }
    var progress = progress
    for program in [program, versus?.program].compactMap(\.self) { try ProgramSearch(program).check() }
    RepeatedInput.keepPipe()
    let directory = try traces ?? BenchPlace.make(for: program)
    defer { if traces == nil { BenchPlace.removeIfEmpty(directory) } }
    let hasOthers = BenchPlace.hasTraces(directory)
    let others = ", which also has earlier ones; compare and gate count them, too"
    var (result, interruption) =
      try versus.map { try compare($0, in: directory, &progress) } ?? measure(in: directory, &progress)
    if !result.launches.isEmpty { result.notes.insert("traces in \(directory)" + (hasOthers ? others : ""), at: 0) }
    if let loss = RepeatedInput.loss { result.unchecked.append("launches with input: \(loss)") }
    result.isInterrupted = interruption != nil
    return (result, interruption)
  }

  // MARK: Against another program

  private func compare(
    _ versus: Command, in directory: String, _ progress: inout some LiveProgress
  ) throws -> (result: GateResult, interruption: Int32?) {
    let places = (base: try place("base", in: directory), head: try place("head", in: directory))
    let counts = try countsInstructions ? count(versus, in: directory, &progress) : nil
    if let signal = counts?.interruption { return nothing(signal) }
    // From here on it watches for signals, one of which would leave the copies otherwise.
    let recorder = try recorder(to: places.head)
    let askForSignal = recorder.askForSignal
    let copies = ProgramCopies(
      of: [versus.program, program], in: directory, inPlace: inPlace, interruption: askForSignal)
    if let signal = copies.interruption ?? askForSignal() { return nothing(signal) }
    if let reason = copies.reason, !inPlace {
      progress.tell("Launching the programs where they are, without copies: \(reason)")
    }
    let base = RecordingExecutor.Program(
      name: versus.program, path: copies.paths[0], arguments: versus.arguments,
      place: places.base, directory: directories.base)
    let head = RecordingExecutor.Program(
      name: program, path: copies.paths[1], arguments: arguments, place: places.head, directory: directories.head,
      delay: headDelay)
    let most = maxRuns ?? Self.mostRounds
    let plan =
      looksOnce
      ? SequentialPlan(looks: [most], tail: options.tail) : .doubling(maximum: most, tail: options.tail)
    var executor = RecordingExecutor([.base: base, .head: head], recorder: recorder)
    var rounds = LiveRounds(warmups: warmups, plan: plan, mostTime: ownTime, options: options)
    rounds.areBudgetsDecided = areBudgetsDecided
    var outcome = try rounds.run(with: &executor, telling: &progress)
    var interruption = outcome.interruption
    var notes: [String] = []
    if interruption == nil, !details.isEmpty {
      let base = try watch(.base, &executor, in: directory, &notes, &interruption)
      let head = try watch(.head, &executor, in: directory, &notes, &interruption)
      if interruption == nil { outcome = outcome.with(firstTimesOf: (base, head)) }
    }
    let inPlaceBecause = copies.reason
    _ = consume copies
    // After the last launch.
    interruption = interruption ?? askForSignal()
    _ = consume executor
    var result = GateResult(comparison: outcome.comparison, launches: outcome.launches.base + outcome.launches.head)
    result.measured = outcome.launches
    if interruption == nil { result.stopped = outcome.stopped }
    result.pace = pace(outcome.rounds, outcome.time, most: most)
    result.launchedInPlace = inPlace ? nil : inPlaceBecause
    result.instructions = counts?.comparison(of: result.launches, allowed: options.exact.instructions)
    result.notes = self.notes(on: result, after: outcome) + notes
    return (result, interruption)
  }

  private func notes(on result: GateResult, after outcome: LiveRounds.Outcome) -> [String] {
    [
      "the seed of the rounds' order is \(options.seed)",
      outcome.decidedEarly.map {
        "the comparison was decided after \($0) rounds; the budgets have all \(outcome.rounds)"
      },
      result.launchedInPlace.map { "launched where they are, without copies: \($0)" },
      result.failed.isEmpty || inPlace || result.launchedInPlace != nil
        ? nil : "launched from copies: a program that opens files beside itself needs --in-place",
    ].compactMap(\.self)
  }

  /// From copies of their own, which valgrind can read.
  private func count(
    _ versus: Command, in directory: String, _ progress: inout some LiveProgress
  ) throws(LaunchError) -> InstructionCounts {
    let counter = try InstructionCounter()
    let copies = ProgramCopies(
      of: [versus.program, program], in: directory, inPlace: inPlace, interruption: counter.askForSignal)
    if let signal = copies.interruption { return InstructionCounts(interruption: signal) }
    copies.hideSections()
    var counts = try InstructionCounts(
      base: (copies.paths[0], versus.arguments), head: (copies.paths[1], arguments), by: counter, completed, &progress)
    _ = consume copies
    // After the last launch.
    counts.interruption = counts.interruption ?? counter.askForSignal()
    return counts
  }

  /// The result of a comparison that the user stopped before the first launch.
  private func nothing(_ signal: Int32) -> (result: GateResult, interruption: Int32?) {
    (GateResult(comparison: LaunchComparison(base: [], head: [], options: options), launches: []), signal)
  }

  /// One more launch of a side, to see what it does for the first time; nil if that is not known.
  func watch(
    _ side: RoundOrder.Side, _ executor: inout RecordingExecutor, in directory: String,
    _ notes: inout [String], _ interruption: inout Int32?
  ) throws -> Measurement? {
    guard interruption == nil else { return nil }
    let watched = try executor.watch(details, of: side, in: place("watched-\(side.rawValue)", in: directory))
    interruption = watched.interruption
    guard let measurement = watched.measurement else { return nil }
    if measurement.leftOut != nil {
      notes.append("the launch of the \(side.rawValue) for --detail failed, so its first uses are not compared")
      return nil
    }
    notes += watched.reasons.map { "--detail \($0.key.rawValue): \(side.rawValue): \($0.value)" }.sorted()
    return measurement
  }

  private func place(_ side: String, in directory: String) throws(LaunchError) -> TracePlace {
    try TracePlace(output: BenchPlace.join(directory, side) + "/", program: program, runs: 2, option: tracesOption)
  }

  func recorder(to place: TracePlace) throws(LaunchError) -> LaunchRecorder {
    var request = completed(LaunchRequest(program: program, arguments: arguments))
    request.directory = directories.head
    var recorder = try makeRecorder(request, place)
    recorder.scenario = scenario
    return recorder
  }

  private func completed(_ request: LaunchRequest) -> LaunchRequest {
    var request = request
    request.environment.merge(environment) { $1 }
    complete(&request)
    // The rounds end between two launches, and a program that hangs never gets there.
    request.longest = max(maxTime ?? Self.standardTime, Self.leastTime)
    // A time limit of the user holds for launches that take long.
    if request.timeout == nil, request.ready == .automatic { request.lingeringLimit = Self.lingeringTime }
    return request
  }
}
