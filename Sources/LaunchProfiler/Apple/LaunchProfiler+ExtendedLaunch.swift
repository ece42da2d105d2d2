// SPDX-License-Identifier: Apache-2.0

#if canImport(os) && canImport(MetricKit)
internal import MetricKit
internal import os

extension LaunchProfiler {
  /// Begins a task after the first frame that still belongs to the launch. MetricKit measures it as an extended launch,
  /// and it is an interval in the points of interest.
  ///
  /// MetricKit allows at most 16 tasks at the same time, and ids of at most 128 characters. The first task must begin
  /// before or during the set-up of the first scene. Otherwise `isRecorded` is false.
  @MainActor
  public static func extendLaunch(taskID: String) -> ExtendedLaunchTask { ExtendedLaunchTask(id: taskID) }
}

/// An open extended launch task.
@MainActor
public struct ExtendedLaunchTask {
  private static let signposter = OSSignposter(subsystem: "launchprof", category: .pointsOfInterest)

  /// False if MetricKit does not measure it.
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
