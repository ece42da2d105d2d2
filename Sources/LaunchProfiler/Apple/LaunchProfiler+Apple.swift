// SPDX-License-Identifier: Apache-2.0

#if canImport(os)
internal import os

extension LaunchProfiler {
  /// Every Instruments template shows points of interest.
  private static let launch = OSSignposter(subsystem: "launchprof", category: .pointsOfInterest)

  /// True while Instruments or a log stream receives the launch's signposts.
  public static var isRecording: Bool { launch.isEnabled }

  /// Runs `body` as a phase of the launch, which is an interval in the points of interest.
  public static func phase<T: ~Copyable, E: Error>(_ phase: LaunchPhase, _ body: () throws(E) -> T) throws(E) -> T {
    let state = launch.beginInterval(phase.id)
    defer { launch.endInterval(phase.id, state) }
    return try body()
  }

  /// Runs an async `body` as a phase.
  public static func phase<T: ~Copyable, E: Error>(
    _ phase: LaunchPhase, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(E) -> T
  ) async throws(E) -> T {
    let state = launch.beginInterval(phase.id)
    defer { launch.endInterval(phase.id, state) }
    return try await body()
  }

  /// Records a milestone as an event in the points of interest.
  public static func mark(_ milestone: LaunchMilestone) {
    launch.emitEvent(milestone.id)
    startDeferredWork(milestone)
  }

  /// Records that the program is fully usable (time to full display).
  public static func fullyDrawn() { mark(.fullyDrawn) }

  /// Records a value under a key of the program's own, for example a feature flag.
  public static func metadata(_ key: String, _ value: String) {
    launch.emitEvent("metadata", id: .exclusive, "\(key, privacy: .public): \(value, privacy: .public)")
  }

  /// Records a value over time.
  public static func counter(_ name: String, value: Double, unit: LaunchCounterUnit = .count) {
    launch.emitEvent("counter", id: .exclusive, "\(name, privacy: .public): \(value)")
  }
}

/// The unit of a counter's values.
public enum LaunchCounterUnit: Sendable {
  case count, bytes, nanoseconds
}
#endif
