// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema
internal import CLaunchRecorder

extension LaunchProfiler {
  /// Runs `work` after the first frame. Use it for work that the first screen does not need.
  ///
  /// The work begins when the program marks `.firstFrame` or `.ready`, or at once if it has marked one already. Work
  /// with the highest priority begins first. The work runs on the actor to which it is isolated, otherwise on the
  /// concurrent executor. In the trace it is an interval, which reports list as deferred. It also runs if the launch is
  /// not recorded.
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

  /// The category that marks deferred work in a trace.
  @_borrowed
  public static var deferredSignposter: LaunchSignposter {
    _read { yield LaunchSignposter(subsystem: "", category: LS_CATEGORY_DEFERRED) }
  }

  /// Calls `start` after the first frame, or now if the frame has been shown already.
  @usableFromInline
  internal static func whenDisplayed(priority: Int32, _ start: @escaping @Sendable () -> Void) {
    let kept = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
    kept.initialize(to: start)
    let isKept = lr_defer(
      priority,
      { context in
        guard let kept = context?.assumingMemoryBound(to: (@Sendable () -> Void).self) else { return }
        kept.move()()
        kept.deallocate()
      }, kept)
    if !isKept {
      kept.move()()
      kept.deallocate()
    }
  }
}
#endif
