#if !canImport(os)
internal import LaunchProfiler

/// The main actor's waiting work, for an event loop that is not Dispatch's: without it no `Task` of the main actor runs.
@MainActor
public enum MainActorQueue {
  /// Readable while work waits. nil on a thread whose Dispatch runs it: after an `async` main.
  public static var descriptor: Int32? { LaunchProfiler.mainQueueDescriptor }

  /// Runs what waits. Call it when `descriptor` is readable.
  public static func run() { LaunchProfiler.runMainQueue() }
}
#endif
