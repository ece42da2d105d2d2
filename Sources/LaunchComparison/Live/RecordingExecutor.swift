internal import LaunchAnalysis
internal import LaunchObserver
internal import LaunchTrace

/// Launches programs with the recorder, and keeps the measurement of each trace.
struct RecordingExecutor: SideExecutor, ~Copyable {
  /// One side: the program, and where its traces go.
  struct Program {
    var path: String
    /// Bytes, because they need not be UTF-8.
    var arguments: [[UInt8]]
    var place: TracePlace
    /// Delay of each launch, ns.
    var delay: Int64 = 0
  }

  private let programs: [RoundOrder.Side: Program]
  /// nil for a program that is measured alone.
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
        delay: run.isWarmup ? 0 : program.delay)
    }
    let result = try recorder.execute(run)
    guard !run.isWarmup else { return LiveLaunch(measurement: nil, interruption: result.interruption) }
    let path = recorder.launches.last?.path ?? ""
    let timeline = LaunchTimeline(trace: try TraceReader().read(path: path))
    // As the only one in its set, a launch of any kind counts.
    let launch = LaunchSet([timeline], names: [path]).launches[0]
    return LiveLaunch(measurement: Measurement(launch), interruption: result.interruption)
  }
}
