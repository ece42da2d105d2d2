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
  private let directory: String
  /// The value of `NOTIFY_SOCKET`.
  let path: String

  /// - Throws: `LaunchError.cannotLaunch` if the socket cannot be created.
  init(environment: LaunchEnvironment) throws(LaunchError) {
    (descriptor, directory, path) = try Self.open(environment)
  }

  private static func open(
    _ environment: LaunchEnvironment
  ) throws(LaunchError) -> (descriptor: Int32, directory: String, path: String) {
    var error = ENOENT
    let isRoot = geteuid() == 0
    // Other users cannot pass through root's XDG_RUNTIME_DIR.
    let ownParent = isRoot ? nil : environment["XDG_RUNTIME_DIR"]
    for parent in [ownParent, environment["TMPDIR"], "/tmp"].compactMap(\.self) where parent.hasPrefix("/") {
      do throws(FileError) {
        let made = try makeTemporaryDirectory(in: parent)
        let path = "\(made)/notify"
        let opened = lo_notify_open(path)
        if opened >= 0 {
          if isRoot { _ = (chmod(made, 0o711), chmod(path, 0o666)) }
          return (opened, made, path)
        }
        error = -opened
        rmdir(made)
      } catch let failure { error = failure.errno }
    }
    throw LaunchError(
      .cannotLaunch, path: "NOTIFY_SOCKET",
      message: "cannot create the socket: \(systemMessage(error)); set TMPDIR to a directory that can be written",
      errno: error)
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir(directory)
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
