#if !canImport(os)
internal import CLaunchRecorder

extension LaunchProfiler {
  /// True when a launcher said when the process began: it also knows in what state it put the machine.
  package static var hasLauncher: Bool { lr_summary_get().start_from_launcher }

  /// Reaches a milestone at a time that is over.
  ///
  /// - Parameter time: CLOCK_MONOTONIC, ns; nil is now.
  package static func mark(_ milestone: LaunchMilestone, at time: UInt64?) {
    lr_mark_at(milestone.id.signpostName, milestone.id.utf8CodeUnitCount, time ?? 0)
  }

  /// The launch screen, an interval from the start of the process to the first frame. Once a process.
  package static func beginLaunchScreen(_ name: String) {
    guard lr_is_recording() else { return }
    var name = name
    name.withUTF8 { lr_screen_begin($0.characters, $0.count) }
  }

  /// - Parameter time: CLOCK_MONOTONIC, ns; nil is now.
  package static func endLaunchScreen(at time: UInt64?) { lr_screen_end(time ?? 0) }

  /// Readable while work waits for the main actor; nil where there is none to run on this thread.
  package static var mainQueueDescriptor: Int32? {
    let descriptor = lr_main_queue_descriptor()
    return descriptor < 0 ? nil : descriptor
  }

  /// Runs the main actor's work that waits. For event loops, on the main thread.
  package static func runMainQueue() { lr_main_queue_run() }
}
#endif
