internal import LaunchAnalysis
internal import LaunchObserver
internal import LaunchTrace

/// Launches with the recorder, and keeps what is measured of each trace.
struct RecordingExecutor: SideExecutor, ~Copyable {
  /// One side: what is launched, and where its traces go.
  struct Program {
    var path: String
    /// Byte for byte: they need not be UTF-8.
    var arguments: [[UInt8]]
    var place: TracePlace
    /// ns by which each launch is made slower.
    var delay: Int64 = 0
  }

  private let programs: [RoundOrder.Side: Program]
  /// A program that is launched alone belongs to no side.
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
    // Alone in its set, a launch of any population counts.
    let launch = LaunchSet([timeline], names: [path]).launches[0]
    return LiveLaunch(measurement: Measurement(launch), interruption: result.interruption)
  }
}
