#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchRecord

extension LaunchProfiler {
  /// Where the trace goes.
  public enum Destination: Sendable {
    /// A new file: a path that exists gets a number. Whole and valid at every instant, also after SIGKILL.
    case file(String)
    /// Memory, to be taken with `copyTrace()`.
    case memory
  }

  /// When the launch is complete.
  public struct Completion: Sendable {
    fileprivate let needsFullDisplay: Bool

    /// At the first of `.firstFrame`, `.ready`, `.fullyDrawn`.
    public static var initialDisplay: Completion { Completion(needsFullDisplay: false) }
    /// At `.fullyDrawn`.
    public static var fullDisplay: Completion { Completion(needsFullDisplay: true) }
  }

  /// Records this launch from within, with no command around it: for production. Call it once, early in `main`.
  ///
  /// The time before the call is known in outline: process start is estimated with an error bound, loading and static
  /// initialisers as a whole. When the command records already, only budgets and completion are taken over.
  ///
  /// - Parameters:
  ///   - destination: where the trace goes.
  ///   - limit: bytes that the trace may take at the most (at least 64 KiB); what does not fit is counted.
  ///   - budgets: nil leaves those that are in force.
  ///   - completion: with what the launch is complete.
  ///   - stopsWhenCompleted: ends the recording when the launch is complete, or when the deadline has passed.
  ///   - deadline: from process start. If the launch is not complete by then, `onLaunchCompleted` is called with what is
  ///     known (`LaunchSummary.isComplete` is false), on a thread of the recorder's; nil waits for ever.
  ///   - spool: keeps the record of this launch in a directory, also if the program ends before its launch is complete.
  ///   - onLaunchCompleted: called once: on the thread that reached the last milestone, or when the deadline has passed.
  /// - Throws: `alreadyStarted` on a second call; `cannotCreateTrace` with the errno beneath; `unsupported`.
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
      // Called of a launch that is not complete, it is the deadline that calls.
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

  /// Tells this launch from all others. Made when it is first asked for; the trace has it from then on.
  internal static let launchID: String = {
    let id = LaunchID.random().text
    metadata(LS_KEY_LAUNCH_ID, id)
    return id
  }()

  private static func start(_ options: inout lr_options, path: UnsafePointer<CChar>?) -> lr_start_result {
    options.path = path
    return lr_start(&options)
  }

  /// Ends the recording. What is open stays open in the trace.
  public static func stop() { lr_stop() }

  /// The launch so far; nil when nothing was recorded.
  public static var summary: LaunchSummary? {
    let status = lr_status_get()
    let isThere = status == lr_status(LR_STATUS_RECORDING) || status == lr_status(LR_STATUS_STOPPED)
    return isThere ? LaunchSummary() : nil
  }

  /// Path of the trace file; nil in memory and when nothing is recorded.
  public static var tracePath: String? { lr_trace_path().map { String(cString: $0) } }

  /// A copy of the trace so far: a Perfetto trace. nil when nothing was recorded.
  public static func copyTrace() -> [UInt8]? {
    var size = 0
    guard let bytes = lr_trace_bytes(&size) else { return nil }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: size))
  }
}

extension String? {
  fileprivate func withOptionalCString<T>(_ body: (UnsafePointer<CChar>?) -> T) -> T {
    guard let self else { return body(nil) }
    return self.withCString(body)
  }
}
#endif
