// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchProfiler

/// The waiting work of the main actor. An event loop other than Dispatch's must run this work: otherwise no `Task` of
/// the main actor runs.
@MainActor
public enum MainActorQueue {
  /// A descriptor that is readable while work waits. nil if Dispatch runs the work, as after an `async` main.
  public static var descriptor: Int32? { LaunchProfiler.mainQueueDescriptor }

  /// Runs the waiting work. Call it when `descriptor` is readable.
  public static func run() { LaunchProfiler.runMainQueue() }
}
#endif
