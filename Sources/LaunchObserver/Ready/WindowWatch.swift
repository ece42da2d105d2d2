// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Waits for the first window of the program on an X display.
final class WindowWatch: ReadySource {
  private let windows: OpaquePointer
  private let isAsked: Bool
  private let descendants: Descendants?
  private var processID: Int32 = 0

  /// - Parameters:
  ///   - isAsked: the user asked for windows, so launchprof waits longer for the display, and a window may be anonymous.
  ///   - descendants: those of the launch, with orphans; nil if the launcher does not get orphans.
  /// - Throws: `LaunchError.cannotLaunch` if the display cannot be watched.
  init(display: String, isAsked: Bool, descendants: Descendants?) throws(LaunchError) {
    windows = try DisplayOpening.open(display, patience: isAsked ? 5_000_000_000 : 1_000_000_000)
    self.isAsked = isAsked
    self.descendants = descendants
  }

  deinit { lo_windows_close(windows) }

  var descriptors: [Int32] { lo_windows_failed(windows) ? [] : [lo_windows_descriptor(windows)] }

  func begin(_ program: lo_launched) { processID = program.pid }

  func look() -> ReadySignal? {
    var process: UInt32 = 0
    while lo_windows_next(windows, &process) {
      let time = Int64(lo_now())
      if isOwn(Int32(bitPattern: process)) { return ReadySignal(kind: .window, time: time) }
    }
    return nil
  }

  /// A window without a process id that was created during the launch may be that of any program. It counts as the program's if the user
  /// expects a window.
  private func isOwn(_ process: Int32) -> Bool {
    if process == 0 { return isAsked }
    return process == processID
      || ProcessTree(root: processID, descendants: descendants).members.contains(process)
  }
}
