// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

/// The waiting work of the main actor. An event loop other than Dispatch's must run this work: otherwise no `Task` of
/// the main actor runs.
@MainActor
public enum MainActorQueue {
  /// A descriptor that is readable while work waits. nil if Dispatch runs the work, as after an `async` main.
  public static var descriptor: Int32? {
    let descriptor = lr_main_queue_descriptor()
    return descriptor < 0 ? nil : descriptor
  }

  /// Runs the waiting work. Call it when `descriptor` is readable.
  public static func run() { lr_main_queue_run() }
}
#endif
