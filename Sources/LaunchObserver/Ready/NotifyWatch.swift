// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Owns a `NOTIFY_SOCKET` and waits for `READY=1`: sd_notify(3).
///
/// If root launches, a program of any user may write to the socket: daemons give up root's rights before they are ready
/// (D262).
final class NotifyWatch: ReadySource {
  private let descriptor: Int32
  private let socket: SocketDirectory
  /// The value of `NOTIFY_SOCKET`.
  var path: String { socket.path }

  /// - Throws: `LaunchError.cannotLaunch` if the socket cannot be created.
  init(environment: LaunchEnvironment) throws(LaunchError) {
    let isRoot = geteuid() == 0
    // Other users cannot pass through root's XDG_RUNTIME_DIR.
    let ownParent = isRoot ? nil : environment["XDG_RUNTIME_DIR"]
    var opened: Int32 = -1
    do throws(FileError) {
      socket = try SocketDirectory.make(in: [ownParent, environment["TMPDIR"], "/tmp"], name: "notify") { path in
        opened = lo_notify_open(path)
        return opened < 0 ? -opened : 0
      }
    } catch {
      throw LaunchError(
        .cannotLaunch, path: "NOTIFY_SOCKET",
        message: "cannot create the socket: \(error.message); set TMPDIR to a directory that can be written",
        errno: error.errno)
    }
    descriptor = opened
    if isRoot {
      socket.open()
      chmod(path, 0o666)
    }
  }

  deinit {
    close(descriptor)
    socket.remove()
  }

  var descriptors: [Int32] { [descriptor] }
  // Keep reading: otherwise senders would block.
  var goesOn: Bool { true }

  func look() -> ReadySignal? {
    var text = [CChar](repeating: 0, count: 8192)
    var time: UInt64 = 0
    var signal: ReadySignal?
    while true {
      let length = lo_notify_read(descriptor, &text, text.count, &time)
      guard length >= 0 else { return signal }
      let lines = text.prefix(length).split(separator: CChar(UInt8(ascii: "\n")))
      if signal == nil, lines.contains(where: { $0.elementsEqual("READY=1".utf8.map { CChar($0) }) }) {
        signal = ReadySignal(kind: .notification, time: Int64(time))
      }
    }
  }
}
