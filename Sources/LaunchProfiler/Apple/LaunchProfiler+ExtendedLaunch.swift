#if canImport(os) && canImport(MetricKit)
internal import MetricKit
internal import os

extension LaunchProfiler {
  /// Work after the first frame that belongs to the launch: MetricKit's extended launch measurement, and an interval among
  /// the points of interest.
  ///
  /// At most 16 at once, ids of at most 128 characters, the first one begun before or during the first scene's set-up;
  /// otherwise MetricKit refuses, and `isRecorded` says so.
  @MainActor
  public static func extendLaunch(taskID: String) -> ExtendedLaunchTask { ExtendedLaunchTask(id: taskID) }
}

/// An extended launch task that has begun.
@MainActor
public struct ExtendedLaunchTask {
  private static let signposter = OSSignposter(subsystem: "launchprof", category: .pointsOfInterest)

  /// False when MetricKit does not measure it.
  public let isRecorded: Bool
  private let id: MXLaunchTaskID
  private let state: OSSignpostIntervalState

  init(id: String) {
    self.id = MXLaunchTaskID(rawValue: id)
    state = Self.signposter.beginInterval("extended launch task", id: .exclusive, "\(id, privacy: .public)")
    isRecorded = (try? MXMetricManager.extendLaunchMeasurement(forTaskID: self.id)) != nil
  }

  /// Ends the task.
  public func finish() {
    Self.signposter.endInterval("extended launch task", state)
    if isRecorded { try? MXMetricManager.finishExtendedLaunchMeasurement(forTaskID: id) }
  }
}
#endif
