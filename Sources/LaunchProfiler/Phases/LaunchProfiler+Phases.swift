// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

extension LaunchProfiler {
  /// Runs `body` as a phase of the launch on the calling thread.
  ///
  /// Records wall time, CPU time, page faults, context switches and bytes read. This costs about 2 µs. The recorder
  /// flags a phase of the main thread that takes longer than its budget. Throws what `body` throws.
  @_alwaysEmitIntoClient
  public static func phase<T: ~Copyable, E: Error>(_ phase: LaunchPhase, _ body: () throws(E) -> T) throws(E) -> T {
    var open = lr_phase_begin(phase.id.signpostName, phase.id.utf8CodeUnitCount, false)
    defer { lr_phase_end(&open) }
    return try body()
  }

  /// Runs an async `body` as a phase with its own track in the trace.
  ///
  /// CPU time and the other costs are not recorded: while `body` is suspended, its thread does other work. Throws what `body`
  /// throws.
  @_alwaysEmitIntoClient
  public static func phase<T: ~Copyable, E: Error>(
    _ phase: LaunchPhase, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(E) -> T
  ) async throws(E) -> T {
    var open = lr_phase_begin(phase.id.signpostName, phase.id.utf8CodeUnitCount, true)
    defer { lr_phase_end(&open) }
    return try await body()
  }

  /// Begins a task of the extended launch, which follows the first frame. Mirrors MetricKit's
  /// `extendLaunchMeasurement(forTaskID:)`.
  ///
  /// The task has its own track. It does not move the end of the launch: call ``fullyDrawn()`` after the last task.
  ///
  /// At most 16 tasks may be open at the same time, and an id may have at most 128 bytes. Otherwise the recorder leaves
  /// the task out, and its `isRecorded` is false.
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

/// An open extended launch task. Any thread may finish it; a second `finish` records nothing.
public struct ExtendedLaunchTask: Sendable {
  /// False if the launch is not recorded, if 16 tasks are already open, or if the id is longer than 128 bytes.
  @_borrowed public let isRecorded: Bool
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
