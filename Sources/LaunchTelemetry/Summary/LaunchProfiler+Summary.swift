// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
public import LaunchProfiler
internal import LaunchRecord

extension LaunchProfiler {
  /// Records this launch without the command, and reports it when it is complete. Call it once, early in `main`.
  ///
  /// The other parameters are those of `start(into:limit:budgets:completion:stopsWhenCompleted:deadline:)`.
  /// - Parameters:
  ///   - deadline: time from process start; nil for no deadline. If the launch is not complete by then, a thread of the
  ///     recorder calls `onLaunchCompleted` with what is known, and `LaunchSummary.isComplete` is false.
  ///   - spool: keeps the record of this launch in a directory, also if the program ends before its launch is complete.
  ///   - onLaunchCompleted: called at most once: on the thread that reaches the last milestone, at the deadline, or
  ///     before `start` returns if the command has already seen the end of the launch. That thread makes the summary,
  ///     which takes about a millisecond for each thousand intervals. Without this function, a thread of the recorder
  ///     makes it for the spool.
  /// - Throws: `alreadyStarted` on a second call; `cannotCreateTrace` with the errno (EEXIST: the path and its 98
  ///   numbered forms exist).
  @_disfavoredOverload
  public static func start(
    into destination: Destination = .memory, limit: Int = 4 << 20, budgets: LaunchBudgets? = nil,
    completion: Completion = .initialDisplay, stopsWhenCompleted: Bool = true,
    deadline: Duration? = nil, spool: LaunchSpool? = nil, onLaunchCompleted: (@Sendable (LaunchSummary) -> Void)? = nil
  ) throws(LaunchProfilerError) {
    var options = options(limit, completion, stopsWhenCompleted, deadline)
    let handler = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
    let spool = spool?.fromAnywhere
    handler.initialize {
      guard let onLaunchCompleted else { return spool?.keepInBackground(LaunchSummary.Moment()) ?? () }
      let summary = LaunchSummary()
      spool?.keepInBackground(summary)
      onLaunchCompleted(summary)
    }
    options.context = UnsafeMutableRawPointer(handler)
    options.completed = { $0?.assumingMemoryBound(to: (@Sendable () -> Void).self).pointee() }
    var hasStarted = false
    defer {
      if !hasStarted {
        handler.deinitialize(count: 1)
        handler.deallocate()
      }
    }
    hasStarted = try start(options, into: destination, budgets: budgets)
    guard hasStarted else { return }
    _ = launchID
    spool?.expectInBackground()
  }

  /// The launch so far; nil if nothing was recorded.
  public static var summary: LaunchSummary? {
    let status = lr_status_get()
    let isThere = status == lr_status(LR_STATUS_RECORDING) || status == lr_status(LR_STATUS_STOPPED)
    return isThere ? LaunchSummary() : nil
  }

  /// Identifies this launch. The first use creates the id and writes it into the trace.
  internal static let launchID: String = {
    let id = LaunchID.random().text
    metadata(LS_KEY_LAUNCH_ID, id)
    return id
  }()
}
#endif
