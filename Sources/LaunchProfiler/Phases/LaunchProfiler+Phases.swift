#if !canImport(os)
public import CLaunchRecorder

extension LaunchProfiler {
  /// Runs `body` as a phase of the launch on the calling thread: wall and CPU time, page faults, context switches and
  /// bytes read are recorded (about 2 µs a phase). Over budget on the main thread it is flagged. Throws what it throws.
  @inlinable
  public static func phase<T: ~Copyable, E: Error>(
    _ phase: LaunchPhase, _ body: () throws(E) -> T
  ) throws(E) -> T {
    var open = lr_phase_begin(phase.id.signpostName, phase.id.utf8CodeUnitCount, false)
    defer { lr_phase_end(&open) }
    return try body()
  }

  /// Runs an async `body` as a phase. It has a track of its own; what the thread used is recorded only if it ended on
  /// the thread on which it began.
  @_alwaysEmitIntoClient
  public static func phase<T: ~Copyable, E: Error>(
    _ phase: LaunchPhase, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(E) -> T
  ) async throws(E) -> T {
    var open = lr_phase_begin(phase.id.signpostName, phase.id.utf8CodeUnitCount, true)
    defer { lr_phase_end(&open) }
    return try await body()
  }

  /// Work after the first frame that belongs to the launch (MetricKit: `extendLaunchMeasurement(forTaskID:)`).
  ///
  /// At most 16 at once, ids of at most 128 bytes; beyond that the task is not recorded and says so.
  public static func extendLaunch(taskID: String) -> ExtendedLaunchTask { ExtendedLaunchTask(id: taskID) }

  /// Runs `body` as an extended launch task.
  @_alwaysEmitIntoClient
  public static func withExtendedLaunchTask<T: ~Copyable, E: Error>(
    _ taskID: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(E) -> T
  ) async throws(E) -> T {
    let task = extendLaunch(taskID: taskID)
    defer { task.finish() }
    return try await body()
  }
}

/// An extended launch task that has begun. Finished once, from any thread; a second `finish` records nothing.
public struct ExtendedLaunchTask: Sendable {
  /// False when recording is off, when 16 tasks are open already, or when the id is longer than 128 bytes.
  public let isRecorded: Bool
  private let interval: lr_async

  internal init(id: String) {
    var id = id
    var interval = lr_async()
    isRecorded = id.withUTF8 { lr_task_begin($0.characters, $0.count, &interval) }
    self.interval = interval
  }

  /// Ends the task.
  public func finish() { lr_task_end(interval) }
}
#endif
