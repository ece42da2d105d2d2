// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

extension LaunchProfiler {
  /// Where to write the trace.
  public enum Destination: Sendable {
    /// A new file. The recorder replaces each `{pid}` in the path by the process id. If the path exists, the recorder
    /// adds a number to the name: at most 99, so a path without `{pid}` serves 99 launches. The file is a valid trace at
    /// every instant, also after SIGKILL.
    case file(String)
    /// Memory. Copy the trace with `copyTrace()`.
    case memory
  }

  /// The milestone at which the launch is complete. The program's summary, record and telemetry say that it ended there.
  public struct Completion: Sendable {
    @_borrowed @usableFromInline package let recorded: Int

    @_alwaysEmitIntoClient
    internal init(recorded: Int) { self.recorded = recorded }

    /// The first of `.firstFrame`, `.ready`, `.fullyDrawn` and `.handedOver`.
    @_borrowed @_alwaysEmitIntoClient
    public static var initialDisplay: Completion {
      _read { yield Self(recorded: Int(LR_COMPLETES_AT_FIRST_FRAME_OR_READY)) }
    }
    /// The first of `.fullyDrawn` and `.handedOver`: after a hand-over, another process draws. A launch in the background
    /// draws nothing, so `LaunchLifecycle` completes it at `.ready`.
    @_borrowed @_alwaysEmitIntoClient
    public static var fullDisplay: Completion { _read { yield Self(recorded: Int(LR_COMPLETES_AT_FULLY_DRAWN)) } }
  }

  /// Records this launch without the command, for example in production. Call it once, early in `main`.
  ///
  /// The recorder knows the time before this call only roughly. It estimates process start, with an error bound.
  /// Loading and static initialisers are one phase each. If the command already records the launch, this call only sets
  /// the budgets and the completion. In a forked child of the process that the command records, it does nothing.
  /// `LaunchTelemetry` adds a call that also reports the launch when it is complete.
  ///
  /// - Parameters:
  ///   - destination: where to write the trace.
  ///   - limit: the largest size of the trace in bytes (at least 64 KiB). The recorder counts events that do not fit.
  ///     Milestones always count.
  ///   - budgets: nil keeps the current budgets. A call that throws keeps them, too.
  ///   - completion: the milestone at which the launch is complete.
  ///   - stopsWhenCompleted: whether to end the recording when the launch is complete, or at the deadline.
  ///   - deadline: time from process start; nil for no deadline.
  /// - Throws: `alreadyStarted` on a second call; `cannotCreateTrace` with the errno (EEXIST: the path and its 98
  ///   numbered forms exist).
  public static func start(
    into destination: Destination = .memory, limit: Int = 4 << 20, budgets: LaunchBudgets? = nil,
    completion: Completion = .initialDisplay, stopsWhenCompleted: Bool = true, deadline: Duration? = nil
  ) throws(LaunchProfilerError) {
    let options = options(limit, completion, stopsWhenCompleted, deadline)
    _ = try start(options, into: destination, budgets: budgets)
  }

  /// The recorder's options, without the destination and the budgets.
  package static func options(
    _ limit: Int, _ completion: Completion, _ stopsWhenCompleted: Bool, _ deadline: Duration?
  ) -> lr_options {
    var options = lr_options()
    // 0 would be the recorder's default.
    options.limit = UInt64(max(1, limit))
    options.completion = lr_completion(completion.recorded)
    options.stops_when_completed = stopsWhenCompleted
    // A deadline that has passed is one, too.
    options.deadline = deadline.map { UInt64(max(1, $0.nanoseconds)) } ?? 0
    return options
  }

  /// Records with the options of the recorder. The caller has set all of them but the path. Returns false if nothing starts,
  /// because this process is a fork of one that the command records.
  package static func start(
    _ options: lr_options, into destination: Destination, budgets: LaunchBudgets?
  ) throws(LaunchProfilerError) -> Bool {
    var path: String?
    if case .file(let file) = destination { path = file }
    var options = options
    let result = path.withOptionalCString { path in
      options.path = path
      return lr_start(&options)
    }
    if result == lr_start_result(LR_NOTHING_TO_START) { return false }
    if result != lr_start_result(LR_STARTED) { throw LaunchProfilerError(result, path: path) }
    // Not before: a start that fails changes no budgets of a launch that is being recorded.
    budgets?.apply()
    lr_write_budgets()
    return true
  }

  /// Ends the recording. Intervals and phases that are open may still get their ends in the trace. If the launch is not
  /// complete, its record in a spool says `failed`, and no milestone and no deadline reports it any more.
  public static func stop() { lr_stop() }

  /// Path of the trace file; nil if the trace is in memory, or if nothing is recorded. Also nil in a child that was forked
  /// during the recording. While `launchprof record` records the launch, it is a file of the command, which is gone afterwards.
  @_borrowed
  public static var tracePath: String? { _read { yield lr_trace_path().map { String(cString: $0) } } }

  /// True if the program may record private values (URLs, payloads) in full. The user allows it with `launchprof record
  /// --unredacted`, or with LAUNCHPROF_UNREDACTED=1 in the environment. If false, record only their kind and size.
  @_borrowed
  public static var recordsPrivateValues: Bool { _read { yield lr_is_unredacted() } }

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
