// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Sees the first byte that the program writes to a standard stream. Nothing is put between the program and its
/// terminal, pipe or file: inotify(7) reports a write to the file that the descriptor refers to.
///
/// Other writers to the same file are seen as well, such as standard error on the same terminal.
final class OutputWatch: ReadySource {
  /// Why a stream that may have output cannot be watched.
  enum Obstacle: Equatable {
    /// The system refuses it: without inotify or /proc, or for a pipe that another user made.
    case refused(errno: Int32)
    /// Other programs write to it, too.
    case device

    var words: String {
      switch self {
      case .refused(let error): systemMessage(error)
      case .device: "it is a device, such as /dev/null"
      }
    }
  }

  private let inotify: Int32

  /// nil if there is nothing to see: the stream is closed, or there is an obstacle.
  init?(stream: Int32, obstacle: inout Obstacle?) {
    guard OutputChannel.isPassedOn(stream) else { return nil }
    guard Self.belongsToUs(stream) else {
      obstacle = .device
      return nil
    }
    let inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard inotify >= 0 else {
      obstacle = .refused(errno: errno)
      return nil
    }
    guard inotify_add_watch(inotify, "/proc/self/fd/\(stream)", UInt32(IN_MODIFY)) >= 0 else {
      obstacle = .refused(errno: errno)
      close(inotify)
      return nil
    }
    self.inotify = inotify
  }

  deinit { lo_close_aside(inotify) }

  private static func belongsToUs(_ stream: Int32) -> Bool {
    var facts = stat()
    return fstat(stream, &facts) == 0 && (facts.st_mode & S_IFMT != S_IFCHR || isatty(stream) == 1)
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
