// SPDX-License-Identifier: Apache-2.0

#if canImport(os)
internal import CLaunchSchema
internal import os

extension LaunchProfiler {
  private struct Waiting: Sendable {
    var work: [(priority: UInt8, start: @Sendable () -> Void)] = []
    var isDisplayed = false
  }

  private static let waiting = OSAllocatedUnfairLock(initialState: Waiting())

  /// Runs `work` when the program marks `.firstFrame` or `.ready`, or at once if it has marked one already. Work with
  /// the highest priority begins first.
  public static func afterFirstFrame(
    _ name: StaticString = "deferred work", priority: TaskPriority = .utility,
    _ work: @escaping @isolated(any) @Sendable () async -> Void
  ) {
    let signposter = LaunchSignposter(subsystem: "launchprof", category: "deferred")
    let start: @Sendable () -> Void = {
      Task.detached(priority: priority) { await signposter.withIntervalSignpost(name) { await work() } }
    }
    let isLate = waiting.withLock { waiting in
      if !waiting.isDisplayed { waiting.work.append((priority.rawValue, start)) }
      return waiting.isDisplayed
    }
    if isLate { start() }
  }

  /// Starts deferred work if `milestone` is `.firstFrame` or `.ready`.
  static func startDeferredWork(_ milestone: LaunchMilestone) {
    guard [LS_MILESTONE_FIRST_FRAME, LS_MILESTONE_READY].contains(milestone.id.description) else { return }
    let work = waiting.withLock { waiting in
      waiting.isDisplayed = true
      defer { waiting.work = [] }
      return waiting.work
    }
    for item in work.sorted(by: { $0.priority > $1.priority }) { item.start() }
  }
}
#endif
