// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Sees the first byte that the program writes to a standard stream. Nothing is put between the program and its
/// terminal, pipe or file: inotify(7) reports a write to the file that the descriptor refers to.
///
/// Other writers to the same file are seen as well, such as standard error on the same terminal.
final class OutputWatch: ReadySource {
  private let inotify: Int32

  /// nil if the watch would be useless: a closed stream, or a device that other programs write to (/dev/null). Also nil if
  /// the system refuses it: without inotify or /proc, or for a pipe that another user made.
  ///
  /// - Parameter refusal: becomes the error of the system, if it refuses.
  init?(stream: Int32, refusal: inout Int32) {
    guard Self.belongsToUs(stream) else { return nil }
    let inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard inotify >= 0 else {
      refusal = errno
      return nil
    }
    guard inotify_add_watch(inotify, "/proc/self/fd/\(stream)", UInt32(IN_MODIFY)) >= 0 else {
      refusal = errno
      close(inotify)
      return nil
    }
    self.inotify = inotify
  }

  deinit { lo_close_aside(inotify) }

  private static func belongsToUs(_ stream: Int32) -> Bool {
    var facts = stat()
    guard OutputChannel.isPassedOn(stream), fstat(stream, &facts) == 0 else { return false }
    return facts.st_mode & S_IFMT != S_IFCHR || isatty(stream) == 1
  }

  var descriptors: [Int32] { [inotify] }

  func look() -> ReadySignal? { hasEvent ? ReadySignal(kind: .output, time: Int64(lo_now())) : nil }

  func forget() { _ = hasEvent }
  var forgets: Bool { true }

  /// Whether the file was written to since the last time.
  private var hasEvent: Bool {
    var event = [UInt8](repeating: 0, count: 4096)
    return read(inotify, &event, event.count) > 0
  }
}
