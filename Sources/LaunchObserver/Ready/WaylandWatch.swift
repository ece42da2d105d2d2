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
  private let directory: String
  private let path: String
  private var processID: Int32 = 0
  private var isSeen = false

  /// - Parameter display: the path of the compositor's socket.
  /// - Throws: `LaunchError.cannotLaunch` if the launcher cannot make a socket beside it.
  init(display: String, temporary: String?) throws(LaunchError) {
    self.display = display
    (relay, directory, path) = try Self.open(display, temporary)
  }

  private static func open(
    _ display: String, _ temporary: String?
  ) throws(LaunchError) -> (relay: OpaquePointer, directory: String, path: String) {
    var error = ENOENT
    // Users who can reach the compositor's socket can usually reach its folder's other files.
    for parent in [String(display[..<(display.lastIndex(of: "/") ?? display.startIndex)]), temporary, "/tmp"] {
      guard let parent, parent.hasPrefix("/") else { continue }
      do throws(FileError) {
        let made = try makeTemporaryDirectory(in: parent)
        let path = "\(made)/wayland"
        if let relay = lo_wayland_open(path, display, &error) {
          // The program may be another user's, and the socket lets only those connect who may use the display.
          if geteuid() == 0 { chmod(made, 0o711) }
          return (relay, made, path)
        }
        unlink(path)
        rmdir(made)
      } catch let failure { error = failure.errno }
    }
    throw LaunchError(
      .cannotLaunch, path: display,
      message: "cannot watch the Wayland display: \(systemMessage(error))", errno: error)
  }

  /// The path of the display's socket: `WAYLAND_DISPLAY`, below `XDG_RUNTIME_DIR` if it is relative. nil if it is not
  /// set, or if nothing is there.
  static func display(of environment: LaunchEnvironment) -> String? {
    guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
    let directory = environment["XDG_RUNTIME_DIR"] ?? ""
    let path = name.hasPrefix("/") ? name : "\(directory)/\(name)"
    return path.hasPrefix("/") && access(path, F_OK) == 0 ? path : nil
  }

  /// For the program.
  var environment: [String: String] { ["WAYLAND_DISPLAY": path] }

  deinit {
    // A process that the program left running may still want to connect.
    if processID != 0, isStillKnown { replaceByLink() } else { unlink(path) }
    lo_wayland_close(relay)
    rmdir(directory)
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
    guard time > 0 else { return nil }
    isSeen = true
    return ReadySignal(kind: .window, time: Int64(time))
  }

  var evidence: ReadyGap.Evidence? {
    if isSeen { return nil }
    return .init(
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
