import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchObserver
import LaunchTrace

/// Launches programs for `bench` and `gate`, and says what came of it.
struct LiveBench {
  var program: PassedCommand
  /// The command of the base; nil to measure the program alone.
  var versus: [String]?
  var maxRuns: Int?
  /// ns
  var maxTime: Int64?
  var warmups = 1
  /// A directory for the traces; nil for one of its own.
  var traces: String?
  var inPlace = false
  var launching: LaunchingOptions
  var options: ComparisonOptions
  /// No progress, even if it was asked for.
  var isQuiet = false
  /// Look only at the end, after all rounds.
  var looksOnce = false
  /// ns by which the program's launches are made slower.
  var headDelay: Int64 = 0

  private var showsNothing: Bool { isQuiet || launching.quiet }

  private static let mostRounds = 320
  private static let mostLaunches = 100
  private static let standardTime: Int64 = 600_000_000_000
  /// The median of a program alone is known when its interval is so narrow on each side.
  private static let precision = 0.02

  /// - Throws: `ExitCode`, after telling why.
  func run() throws -> (result: GateResult, interruption: Int32?) {
    let silence = SilencedOutput()
    defer { withExtendedLifetime(silence) {} }
    do {
      return try versus.map(compare) ?? measure()
    } catch let error as LaunchError {
      // A program that cannot be launched is a launch that failed.
      throw fail(error, status: error.code == .cannotWrite ? CommandStatus.failure : 3)
    } catch let error as TraceError {
      throw fail(error, status: CommandStatus.failure)
    }
  }

  // MARK: Against another program

  private func compare(_ versus: [String]) throws -> (GateResult, Int32?) {
    let directory = try traces ?? BenchPlace.make(for: program.program)
    let places = try ["base", "head"].map { name throws(LaunchError) in
      try TracePlace(output: BenchPlace.join(directory, name) + "/", program: program.program, runs: 2)
    }
    let copies = ProgramCopies(of: [versus[0], program.program], in: directory, inPlace: inPlace)
    if let reason = copies.reason, !inPlace, !showsNothing { tell("Launched where they are: \(reason)") }
    let most = maxRuns ?? Self.mostRounds
    var live = LiveComparison(
      base: LiveComparison.Side(
        program: copies.paths[0], arguments: versus.dropFirst().map { Array($0.utf8) }, place: places[0]),
      head: LiveComparison.Side(
        program: copies.paths[1], arguments: program.arguments, place: places[1], delay: headDelay),
      warmups: warmups, plan: plan(most), mostTime: maxTime ?? Self.standardTime,
      options: options, progress: LiveProgress(most: most, isQuiet: showsNothing))
    var recorder = try recorder(to: places[1])
    let outcome = try live.run(with: &recorder)
    var result = GateResult(comparison: outcome.comparison, launches: outcome.comparison.base + outcome.comparison.head)
    result.notes = [
      "order of the rounds by seed \(options.seed)", "traces in \(directory)",
      outcome.stopped.map { "stopped because \($0)" },
    ].compactMap(\.self)
    return (result, outcome.interruption)
  }

  private func plan(_ most: Int) -> SequentialPlan {
    looksOnce ? SequentialPlan(looks: [most], tail: options.tail) : .doubling(maximum: most, tail: options.tail)
  }

  // MARK: Alone

  private func measure() throws -> (GateResult, Int32?) {
    let directory = try traces ?? BenchPlace.make(for: program.program)
    let place = try TracePlace(output: directory + "/", program: program.program, runs: 2)
    var recorder = try recorder(to: place)
    let progress = ProgressBar(runs: (maxRuns ?? Self.mostLaunches) + warmups, isQuiet: showsNothing)
    defer { progress.clear() }
    var interruption: Int32?
    for number in 0..<warmups where interruption == nil {
      let run = PlannedRun(number: number + 1, count: warmups, isWarmup: true)
      progress.starting(run, done: number)
      interruption = try recorder.execute(run).interruption
    }
    let measured = try launches(&recorder, progress, &interruption)
    var result = GateResult(comparison: nil, launches: measured)
    result.notes = ["traces in \(directory)"]
    let counted = measured.filter { $0.leftOut == nil }
    if !counted.isEmpty {
      result.summary = [0.5, 0.9].map { fraction in
        BudgetCheck(unlimited: .total, fraction: fraction, of: counted, tail: options.tail)
      }
    }
    return (result, interruption)
  }

  private func launches(
    _ recorder: inout LaunchRecorder, _ progress: ProgressBar, _ interruption: inout Int32?
  ) throws -> [Measurement] {
    let most = maxRuns ?? Self.mostLaunches
    var timelines: [LaunchTimeline] = []
    let start = ContinuousClock.now
    while timelines.count < most, interruption == nil {
      let run = PlannedRun(number: timelines.count + 1, count: most, isWarmup: false)
      progress.starting(run, done: timelines.count + warmups)
      interruption = try recorder.execute(run).interruption
      timelines.append(LaunchTimeline(trace: try TraceReader().read(path: recorder.launches.last?.path ?? "")))
      if start.duration(to: .now) >= .nanoseconds(maxTime ?? Self.standardTime) { break }
      if timelines.count % 10 == 0, isKnown(timelines) { break }
    }
    return Measurement.all(LaunchSet(timelines, names: recorder.launches.map(\.path)))
  }

  private func isKnown(_ timelines: [LaunchTimeline]) -> Bool {
    let totals = timelines.filter(\.isComplete).map { Double($0.total) }
    guard maxRuns == nil, !totals.isEmpty else { return false }
    let median = QuantileInterval(totals, fraction: 0.5, tail: options.tail)
    return median.upper.isFinite && median.lower.isFinite
      && max(median.upper - median.estimate, median.estimate - median.lower) <= Self.precision * median.estimate
  }

  private func recorder(to place: TracePlace) throws(LaunchError) -> LaunchRecorder {
    var request = LaunchRequest(
      program: program.program, arguments: program.arguments, timeout: launching.timeout?.nanoseconds)
    launching.readiness.apply(to: &request, runs: 2, isQuiet: showsNothing)
    let images = ImageDescriptions()
    // Samples would be noise in what is measured.
    return try LaunchRecorder(
      request, to: place, version: Version.current, observation: ObservationOptions(sampleRate: 0),
      context: RecordingContext(describeImage: images.description), nameFunctions: InitializerNames.functions)
  }
}

/// Where the traces of a bench go when nobody says.
enum BenchPlace {
  /// - Throws: `LaunchError.cannotWrite`.
  static func make(for program: String) throws(LaunchError) -> String {
    let name = program.split(separator: "/").last.map(String.init) ?? "program"
    let stem = "\(name)-\(localTimeStamp())"
    for attempt in 1...1000 {
      let path = stem + (attempt == 1 ? "" : "_\(attempt)") + ".bench"
      if mkdir(path, 0o777) == 0 { return path }
      guard errno == EEXIST else { break }
    }
    throw LaunchError(
      .cannotWrite, path: stem + ".bench",
      message: "the directory cannot be made: \(systemMessage(errno)); name another place with --traces", errno: errno)
  }

  static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }
}
