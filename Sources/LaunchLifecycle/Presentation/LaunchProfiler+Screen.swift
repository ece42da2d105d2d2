// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchProfiler

extension LaunchProfiler {
  /// True if a launcher gave the start time of the process. The launcher then also knows the kind of the launch.
  static var hasLauncher: Bool { lr_summary_get().start_from_launcher }

  /// Records a milestone at a time in the past.
  ///
  /// - Parameter time: CLOCK_MONOTONIC, ns; nil is now.
  static func mark(_ milestone: LaunchMilestone, at time: UInt64?) {
    lr_mark_at(milestone.id.signpostName, milestone.id.utf8CodeUnitCount, time ?? 0)
  }

  /// Whether the process had started by that time, and it is not in the future.
  ///
  /// - Parameter time: CLOCK_MONOTONIC, ns.
  static func hasPassed(_ time: UInt64) -> Bool { time >= lr_summary_get().process_start && time <= lr_monotonic_now() }

  /// Records the launch screen, an interval from the start of the process to the first frame. Once per process.
  static func beginLaunchScreen(_ name: String) {
    guard lr_is_recording() else { return }
    var name = name
    name.withUTF8 { lr_screen_begin($0.characters, $0.count) }
  }

  /// - Parameter time: CLOCK_MONOTONIC, ns; nil is now.
  static func endLaunchScreen(at time: UInt64?) { lr_screen_end(time ?? 0) }
}
#endif
