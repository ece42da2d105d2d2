// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchAnalysis
internal import LaunchObserver
internal import LaunchTrace

/// Launches programs with the recorder, and keeps the measurement of each trace.
struct RecordingExecutor: SideExecutor, ~Copyable {
  /// One side: the program, and where its traces go.
  struct Program {
    /// As the user wrote it. What is launched may be a copy.
    var name: String
    var path: String
    /// Bytes, because they need not be UTF-8.
    var arguments: [[UInt8]]
    var place: TracePlace
    /// The directory in which it begins; nil for the current one.
    var directory: String?
    /// Delay of each launch, ns.
    var delay: Int64 = 0
  }

  private let programs: [RoundOrder.Side: Program]
  /// False for a program that is measured alone.
  private let namesSides: Bool
  private var recorder: LaunchRecorder

  init(_ programs: [RoundOrder.Side: Program], recorder: consuming LaunchRecorder) {
    self.programs = programs
    namesSides = programs.count > 1
    self.recorder = recorder
  }

  mutating func launch(_ side: RoundOrder.Side, _ run: PlannedRun) throws -> LiveLaunch {
    if namesSides, let program = programs[side] {
      recorder.turn(
        to: program.path, arguments: program.arguments, place: program.place, side: side.rawValue,
        directory: program.directory, delay: run.isWarmup ? 0 : program.delay)
    }
    let result = try recorder.execute(run)
    if let signal = result.lingering {
      // No launch would end.
      if !run.isWarmup { removeLastTrace() }
      throw LaunchError(
        .keepsRunning, path: programs[side]?.name ?? "",
        message: Self.keepsRunning(namesSides ? "the \(side.rawValue)" : "it", signal))
    }
    let hasTimedOut = result.ending == .timedOut
    guard !run.isWarmup else {
      return LiveLaunch(measurement: nil, interruption: result.interruption, hasTimedOut: hasTimedOut)
    }
    if let signal = result.interruption {
      removeLastTrace()
      return LiveLaunch(measurement: nil, interruption: signal)
    }
    return LiveLaunch(measurement: try lastMeasurement(), hasTimedOut: hasTimedOut)
  }

  private static func keepsRunning(_ program: String, _ signal: ReadySignal) -> String {
    let what = signal.kind == .window ? "had a window" : "listened (\(signal.detail))"
    return
      "\(program) \(what) and still ran seconds later; to end each launch when it is ready, add --ready \(signal.rule). "
      + "If it ends by itself, add --ready exit"
  }

  /// Of a launch that the user interrupted: `compare` would take it for one that failed.
  private func removeLastTrace() { if let launch = recorder.launches.last { unlink(launch.path) } }

  private func lastMeasurement() throws -> Measurement {
    let path = recorder.launches.last?.path ?? ""
    let timeline = LaunchTimeline(trace: try TraceReader().read(path: path))
    // As the only one in its set, a launch of any kind counts.
    return Measurement(LaunchSet([timeline], names: [path]).launches[0])
  }

  /// One more launch of a side, to find out what it does, not how long it takes. Call it last, because the probes stay.
  ///
  /// - Returns: what it did, why something of it is not known, and the signal by which the user asked to stop. Then it is nil.
  mutating func watch(
    _ details: Set<RuntimeDetail>, of side: RoundOrder.Side, in place: TracePlace
  ) throws -> (measurement: Measurement?, reasons: [RuntimeDetail: String], interruption: Int32?) {
    guard let program = programs[side] else { preconditionFailure("a side without a program") }
    recorder.watch(details)
    recorder.turn(
      to: program.path, arguments: program.arguments, place: place, side: namesSides ? side.rawValue : nil,
      directory: program.directory)
    let result = try recorder.execute(PlannedRun(number: 1, count: 1, isWarmup: false))
    if let signal = result.interruption {
      removeLastTrace()
      return (nil, [:], signal)
    }
    let shortcomings = recorder.launches.last?.shortcomings
    let reasons = details.map { ($0, shortcomings?.reason(for: $0) ?? "") }.filter { !$0.1.isEmpty }
    return (try lastMeasurement(), Dictionary(uniqueKeysWithValues: reasons), nil)
  }
}
