// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Waits for the first window of the program on a Wayland display.
///
/// The program connects to a socket of the launcher, which passes on all that the program and the compositor send (D309).
final class WaylandWatch: ReadySource {
  private let relay: OpaquePointer
  private let display: String
  private let socket: SocketDirectory
  private var processID: Int32 = 0
  /// The value of `WAYLAND_DISPLAY` for the program.
  var path: String { socket.path }

  /// - Parameter display: the path of the compositor's socket.
  /// - Throws: `LaunchError.cannotLaunch` if the launcher cannot make a socket beside it.
  init(display: String, temporary: String?) throws(LaunchError) {
    self.display = display
    var (opened, error): (OpaquePointer?, Int32) = (nil, ENOENT)
    // Users who can reach the compositor's socket can usually reach its folder's other files.
    do throws(FileError) {
      socket = try SocketDirectory.make(in: [directoryName(display), temporary, "/tmp"], name: "wayland") { path in
        opened = lo_wayland_open(path, display, &error)
        return error
      }
    } catch { throw Self.cannotWatch(display, error.errno) }
    guard let opened else { throw Self.cannotWatch(display, error) }
    relay = opened
    // The program may be another user's, and the socket lets only those connect who may use the display.
    if geteuid() == 0 { socket.open() }
  }

  private static func cannotWatch(_ display: String, _ error: Int32) -> LaunchError {
    LaunchError(
      .cannotLaunch, path: display, message: "cannot watch the Wayland display: \(systemMessage(error))", errno: error)
  }

  /// The path of the display's socket: `WAYLAND_DISPLAY`, below `XDG_RUNTIME_DIR` if it is relative. nil if it is not
  /// set, or if nothing is there.
  static func display(of environment: LaunchEnvironment) -> String? {
    guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
    let directory = environment["XDG_RUNTIME_DIR"] ?? ""
    let path = name.hasPrefix("/") ? name : "\(directory)/\(name)"
    return path.hasPrefix("/") && access(path, F_OK) == 0 ? path : nil
  }

  /// Why the display that `WAYLAND_DISPLAY` names is not there; nil if it names none.
  static func absence(in environment: LaunchEnvironment) -> String? {
    guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
    if name.hasPrefix("/") { return "there is no display \(name), which WAYLAND_DISPLAY names" }
    guard let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty else {
      return "WAYLAND_DISPLAY is \(name), but XDG_RUNTIME_DIR is not set, so the display cannot be found"
    }
    return "there is no display \(directory)/\(name), which WAYLAND_DISPLAY and XDG_RUNTIME_DIR name"
  }

  deinit {
    // A process that the program left running may still want to connect.
    if processID != 0, isStillKnown { replaceByLink() } else { socket.remove() }
    lo_wayland_close(relay)
  }

  var polled: [pollfd] {
    var polled = [pollfd](repeating: pollfd(), count: lo_wayland_polled(relay, nil, 0))
    _ = lo_wayland_polled(relay, &polled, polled.count)
    return polled
  }
  // Keep passing on: otherwise the program would stand still.
  var goesOn: Bool { true }

  func begin(_ program: lo_launched) { processID = program.pid }

  func look() -> ReadySignal? {
    let time = lo_wayland_pass_on(relay)
    return time > 0 ? ReadySignal(kind: .window, time: Int64(time)) : nil
  }

  var evidence: ReadyGap.Evidence? {
    .init(
      lo_wayland_clients(relay) > 0
        ? "It connected to the Wayland display, and showed no window."
        : "It did not connect to the Wayland display.")
  }

  /// Whether a process that began after the program has the socket's path in its environment.
  private var isStillKnown: Bool {
    let entry = "WAYLAND_DISPLAY=\(path)\0"
    return fileNames(in: "/proc").contains { name in
      guard let process = Int32(name), process >= processID else { return false }
      return fileText("\(ProcessFiles.folder(process))/environ")?.contains(entry) ?? false
    }
  }

  /// From now on, the path leads to the compositor's own socket.
  private func replaceByLink() {
    let link = "\(path).link"
    if symlink(display, link) != 0 || rename(link, path) != 0 { unlink(link) }
  }
}
