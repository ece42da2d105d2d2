// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Waits for the first window of the program on an X display.
final class WindowWatch: ReadySource {
  private let windows: OpaquePointer
  private let descendants: Descendants?
  private var processID: Int32 = 0

  /// - Parameter descendants: those of the launch, with orphans; nil if the launcher does not get orphans.
  /// - Throws: `LaunchError.cannotLaunch` if the display cannot be watched.
  init(display: String, descendants: Descendants?) throws(LaunchError) {
    var reason: UnsafePointer<CChar>?
    guard let windows = lo_windows_open(display, &reason) else {
      throw LaunchError(
        .cannotLaunch, path: "display \(display)",
        message: reason.map { String(cString: $0) } ?? "cannot watch its windows")
    }
    self.windows = windows
    self.descendants = descendants
  }

  deinit { lo_windows_close(windows) }

  var descriptors: [Int32] { lo_windows_failed(windows) ? [] : [lo_windows_descriptor(windows)] }

  func begin(_ program: lo_launched) { processID = program.pid }

  func look() -> ReadySignal? {
    var mapped = lo_mapped_window()
    while lo_windows_next(windows, &mapped) {
      let time = Int64(lo_now())
      if isOwn(Int32(bitPattern: mapped.process)) { return ReadySignal(kind: .window, time: time) }
    }
    return nil
  }

  /// A window without a process id that was created during the launch counts as the program's.
  private func isOwn(_ process: Int32) -> Bool {
    process == 0 || process == processID
      || ProcessTree(root: processID, descendants: descendants).members.contains(process)
  }
}
