#if canImport(os)
internal import CLaunchSchema
internal import os

extension LaunchProfiler {
  /// Points of interest show in every Instruments template.
  private static let launch = OSSignposter(subsystem: "launchprof", category: .pointsOfInterest)

  /// True while Instruments or a log stream listens to the launch's signposts.
  public static var isRecording: Bool { launch.isEnabled }

  /// Runs `body` as a phase of the launch: an interval among the points of interest.
  public static func phase<T: ~Copyable, E: Error>(
    _ phase: LaunchPhase, _ body: () throws(E) -> T
  ) throws(E) -> T {
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

  /// Reaches a milestone: an event among the points of interest.
  public static func mark(_ milestone: LaunchMilestone) {
    launch.emitEvent(milestone.id)
    startDeferredWork(milestone)
  }

  /// The program is fully usable: time to full display.
  public static func fullyDrawn() { mark(.fullyDrawn) }

  /// Marks a value of the program's own, for instance its version.
  public static func metadata(_ key: String, _ value: String) {
    launch.emitEvent("metadata", id: .exclusive, "\(key, privacy: .public): \(value, privacy: .public)")
  }

  /// Marks what was launched and why. Values that are nil are left out.
  public static func metadata(
    version: String? = nil, build: String? = nil, reason: String? = nil, context: String? = nil, kind: String? = nil
  ) {
    let pairs = [
      (LS_KEY_VERSION, version), (LS_KEY_BUILD, build), (LS_KEY_REASON, reason), (LS_KEY_CONTEXT, context),
      (LS_KEY_KIND, kind),
    ]
    for case (let key, let value?) in pairs { metadata(key, value) }
  }

  /// Marks a value over time.
  public static func counter(_ name: String, value: Double, unit: LaunchCounterUnit = .count) {
    launch.emitEvent("counter", id: .exclusive, "\(name, privacy: .public): \(value)")
  }
}

/// What a counter's values are.
public enum LaunchCounterUnit: Sendable {
  case count, bytes, nanoseconds
}
#endif
