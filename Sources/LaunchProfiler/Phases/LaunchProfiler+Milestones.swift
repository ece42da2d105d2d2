// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

extension LaunchProfiler {
  /// True while the launch is being recorded. False in a forked child, which records nothing. Safe from any thread.
  @_borrowed
  public static var isRecording: Bool {
    _read { yield lr_is_recording() && lr_status_get() == lr_status(LR_STATUS_RECORDING) }
  }

  /// Records a milestone. Only the first call for each milestone counts. Its budget counts from process start.
  ///
  /// `.firstFrame` and `.ready` also start the work of `afterFirstFrame`, even if the launch is not recorded.
  public static func mark(_ milestone: LaunchMilestone) {
    lr_mark(milestone.id.signpostName, milestone.id.utf8CodeUnitCount)
  }

  /// Records that the program is fully usable (time to full display). Ends the extended launch.
  @_alwaysEmitIntoClient
  public static func fullyDrawn() { mark(.fullyDrawn) }

  /// Records a value over time. A program may have at most 256 counters.
  public static func counter(_ name: String, value: Double, unit: LaunchCounterUnit = .count) {
    guard lr_is_recording() else { return }
    var name = name
    name.withUTF8 { lr_counter($0.characters, $0.count, lr_unit(unit.recorded), value) }
  }

  /// Records a value under a key of the program's own, for example a feature flag. The trace keeps at most 2,048 bytes
  /// of it.
  public static func metadata(_ key: String, _ value: String) {
    guard lr_is_recording() else { return }
    var (key, value) = (key, value)
    key.withUTF8 { key in
      value.withUTF8 { value in lr_metadata(key.characters, key.count, value.characters, value.count) }
    }
  }
}

/// The unit of a counter's values.
public struct LaunchCounterUnit: Sendable {
  fileprivate let recorded: Int

  @usableFromInline
  internal init(recorded: Int) { self.recorded = recorded }

  @_borrowed @_alwaysEmitIntoClient
  public static var count: LaunchCounterUnit { _read { yield Self(recorded: Int(LR_UNIT_COUNT)) } }
  @_borrowed @_alwaysEmitIntoClient
  public static var bytes: LaunchCounterUnit { _read { yield Self(recorded: Int(LR_UNIT_BYTES)) } }
  @_borrowed @_alwaysEmitIntoClient
  public static var nanoseconds: LaunchCounterUnit { _read { yield Self(recorded: Int(LR_UNIT_NS)) } }
}
#endif
