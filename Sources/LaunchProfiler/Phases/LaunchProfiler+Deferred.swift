#if !canImport(os)
internal import CLaunchSchema
internal import CLaunchRecorder

extension LaunchProfiler {
  /// Runs `work` once the first screen is there: what that screen does not need.
  ///
  /// It begins when `.firstFrame` or `.ready` is marked, on the actor that it is isolated to, else on the concurrent
  /// executor; at once when that is over. Of several, the highest priority begins first. In the trace it is an interval
  /// that reports sum up as deferred. Works whether or not the launch is recorded.
  ///
  ///     LaunchProfiler.afterFirstFrame("index notes", priority: .background) { await index.update() }
  @_alwaysEmitIntoClient
  public static func afterFirstFrame(
    _ name: StaticString = "deferred work", priority: TaskPriority = .utility,
    _ work: @escaping @isolated(any) @Sendable () async -> Void
  ) {
    whenDisplayed(priority: Int32(priority.rawValue)) {
      Task.detached(priority: priority) {
        await deferredSignposter.withIntervalSignpost(name) { await work() }
      }
    }
  }

  /// The category by which reports know deferred work.
  public static let deferredSignposter = LaunchSignposter(subsystem: "", category: LS_CATEGORY_DEFERRED)

  /// Calls `start` when the first screen is there, or now.
  @usableFromInline
  internal static func whenDisplayed(priority: Int32, _ start: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(DeferredStart(start)).toOpaque()
    let isKept = lr_defer(
      priority,
      { context in
        guard let context else { return }
        Unmanaged<DeferredStart>.fromOpaque(context).takeRetainedValue().start()
      }, context)
    if !isKept { Unmanaged<DeferredStart>.fromOpaque(context).takeRetainedValue().start() }
  }
}

/// A closure with an address.
private final class DeferredStart: Sendable {
  let start: @Sendable () -> Void

  init(_ start: @escaping @Sendable () -> Void) { self.start = start }
}
#endif
