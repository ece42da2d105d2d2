// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchRecord

extension LaunchProfiler {
  /// Where to write the trace.
  public enum Destination: Sendable {
    /// A new file. If the path exists, the recorder adds a number to the name. The file is a valid trace at every
    /// instant, also after SIGKILL.
    case file(String)
    /// Memory. Copy the trace with `copyTrace()`.
    case memory
  }

  /// The milestone at which the launch is complete.
  public struct Completion: Sendable {
    fileprivate let needsFullDisplay: Bool

    /// The first of `.firstFrame`, `.ready` and `.fullyDrawn`.
    public static var initialDisplay: Completion { Completion(needsFullDisplay: false) }
    /// `.fullyDrawn`.
    public static var fullDisplay: Completion { Completion(needsFullDisplay: true) }
  }

  /// Records this launch without the command, for example in production. Call it once, early in `main`.
  ///
  /// The recorder knows the time before this call only roughly. It estimates process start, with an error bound.
  /// Loading and static initialisers are one phase each. If the command already records the launch, this call only sets
  /// the budgets and the completion.
  ///
  /// - Parameters:
  ///   - destination: where to write the trace.
  ///   - limit: the largest size of the trace in bytes (at least 64 KiB). The recorder counts events that do not fit.
  ///   - budgets: nil keeps the current budgets.
  ///   - completion: the milestone at which the launch is complete.
  ///   - stopsWhenCompleted: whether to end the recording when the launch is complete, or at the deadline.
  ///   - deadline: time from process start; nil for no deadline. If the launch is not complete by then, a thread of the
  ///     recorder calls `onLaunchCompleted` with what is known, and `LaunchSummary.isComplete` is false.
  ///   - spool: keeps the record of this launch in a directory, also if the program ends before its launch is complete.
  ///   - onLaunchCompleted: called once, on the thread that reaches the last milestone, or at the deadline.
  /// - Throws: `alreadyStarted` on a second call; `cannotCreateTrace` with the errno; `unsupported`.
  public static func start(
    into destination: Destination = .memory, limit: Int = 4 << 20, budgets: LaunchBudgets? = nil,
    completion: Completion = .initialDisplay, stopsWhenCompleted: Bool = true,
    deadline: Duration? = nil, spool: LaunchSpool? = nil, onLaunchCompleted: (@Sendable (LaunchSummary) -> Void)? = nil
  ) throws(LaunchProfilerError) {
    budgets?.apply()
    var options = lr_options()
    options.limit = UInt64(max(0, limit))
    options.completion = lr_completion(
      completion.needsFullDisplay ? LR_COMPLETES_AT_FULLY_DRAWN : LR_COMPLETES_AT_FIRST_FRAME_OR_READY)
    options.stops_when_completed = stopsWhenCompleted
    options.deadline = UInt64(max(0, deadline?.nanoseconds ?? 0))
    let handler = UnsafeMutablePointer<(@Sendable (LaunchSummary) -> Void)?>.allocate(capacity: 1)
    handler.initialize(to: onLaunchCompleted)
    if let spool {
      handler.pointee = { summary in
        spool.keepInBackground(summary)
        onLaunchCompleted?(summary)
      }
    }
    options.context = UnsafeMutableRawPointer(handler)
    options.completed = { context in
      // If the launch is not complete, the deadline made this call.
      context?.assumingMemoryBound(to: (@Sendable (LaunchSummary) -> Void)?.self).pointee?(
        LaunchSummary(hasTimedOut: true))
    }
    var path: String?
    if case .file(let file) = destination { path = file }
    let result = path.withOptionalCString { start(&options, path: $0) }
    if result != lr_start_result(LR_STARTED) {
      handler.deinitialize(count: 1)
      handler.deallocate()
      throw LaunchProfilerError(result, path: path)
    }
    _ = launchID
    spool?.expectInBackground()
  }

  /// Identifies this launch. The first use creates the id and writes it into the trace.
  internal static let launchID: String = {
    let id = LaunchID.random().text
    metadata(LS_KEY_LAUNCH_ID, id)
    return id
  }()

  private static func start(_ options: inout lr_options, path: UnsafePointer<CChar>?) -> lr_start_result {
    options.path = path
    return lr_start(&options)
  }

  /// Ends the recording. Open intervals stay open in the trace.
  public static func stop() { lr_stop() }

  /// The launch so far; nil if nothing was recorded.
  public static var summary: LaunchSummary? {
    let status = lr_status_get()
    let isThere = status == lr_status(LR_STATUS_RECORDING) || status == lr_status(LR_STATUS_STOPPED)
    return isThere ? LaunchSummary() : nil
  }

  /// Path of the trace file; nil if the trace is in memory, or if nothing is recorded.
  public static var tracePath: String? { lr_trace_path().map { String(cString: $0) } }

  /// A copy of the Perfetto trace so far; nil if nothing was recorded. Other threads may go on recording meanwhile.
  public static func copyTrace() -> [UInt8]? {
    let size = lr_trace_size()
    if size == 0 { return nil }
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      lr_trace_copy(bytes.baseAddress, size)
      count = size
    }
  }
}

extension String? {
  fileprivate func withOptionalCString<T>(_ body: (UnsafePointer<CChar>?) -> T) -> T {
    guard let self else { return body(nil) }
    return self.withCString(body)
  }
}
#endif
