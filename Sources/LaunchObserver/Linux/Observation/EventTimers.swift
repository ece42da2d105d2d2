// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// When a wait for events ends without one: at the timeout of its call, or when a timer expires among its descriptors.
///
/// `Task.sleep`, `DispatchQueue.asyncAfter` and run loops arm such timers, timerfd_create(2). For the kernel, they are events as
/// any others.
struct EventTimers: Equatable {
  /// When the next timer expires, CLOCK_MONOTONIC ns; nil if none is armed.
  var expiry: Int64?
  /// The timeout of the call from its start on, ns; nil if it has none.
  var timeout: Int64?

  /// An event loop may have thousands of descriptors.
  private static let most = 64

  /// - Parameters:
  ///   - folder: that of the process, in /proc.
  ///   - arguments: those of the system call.
  /// - Returns: nil if the call does not wait for events.
  init?(of processID: Int32, folder: String, _ call: String, _ arguments: [UInt64]) {
    guard arguments.count >= 5 else { return nil }
    func milliseconds(_ place: Int) -> Int64? {
      // The argument is an `int`, of which the upper half of the register says nothing.
      let number = Int32(truncatingIfNeeded: arguments[place])
      return number > 0 ? Int64(number) * 1_000_000 : nil
    }
    func time(_ place: Int, partsOfSecond: Int = 1_000_000_000) -> Int64? {
      // A `struct timeval` looks like it, and has microseconds.
      var time = timespec()
      guard arguments[place] != 0,
        lo_read_memory(processID, arguments[place], &time, MemoryLayout<timespec>.size) == 0,
        (0..<1 << 32).contains(time.tv_sec), (0..<partsOfSecond).contains(time.tv_nsec)
      else { return nil }
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec * (1_000_000_000 / partsOfSecond))
    }
    var descriptors: [Int32] = []
    switch call {
    case "epoll_wait", "epoll_pwait", "epoll_pwait2":
      timeout = call == "epoll_pwait2" ? time(3) : milliseconds(3)
      let file = "\(folder)/fdinfo/\(Int32(truncatingIfNeeded: arguments[0]))"
      descriptors = fileText(file).map { Self.descriptors(ofEvents: $0) } ?? []
    case "poll", "ppoll":
      timeout = call == "ppoll" ? time(2) : milliseconds(2)
      descriptors = Self.polled(at: arguments[0], count: arguments[1], in: processID)
    case "select", "pselect6":
      timeout = call == "select" ? time(4, partsOfSecond: 1_000_000) : time(4)
      descriptors = Self.selected(at: arguments[1], below: arguments[0], in: processID)
    default: return nil
    }
    let timers = descriptors.prefix(Self.most).filter { linkTarget("\(folder)/fd/\($0)") == "anon_inode:[timerfd]" }
    let left = timers.compactMap { fileText("\(folder)/fdinfo/\($0)").flatMap { Self.timeLeft(ofTimer: $0) } }.min()
    expiry = left.map { Int64(lo_now()) + $0 }
  }

  /// - Parameter text: that of /proc/PID/fdinfo of an epoll file: proc_pid_fdinfo(5).
  static func descriptors(ofEvents text: String) -> [Int32] {
    text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("tfd:") else { return nil }
      return line.dropFirst(4).split(separator: " ").first.flatMap { Int32($0) }
    }
  }

  /// The time until a timer expires, ns; nil if it is not armed.
  ///
  /// - Parameter text: that of /proc/PID/fdinfo of a timer: proc_pid_fdinfo(5).
  static func timeLeft(ofTimer text: String) -> Int64? {
    let numbers = text.line(after: "it_value:")?.split { " (,)".contains($0) }.compactMap { Int64($0) } ?? []
    guard numbers.count == 2, (0..<1 << 32).contains(numbers[0]), (0..<1_000_000_000).contains(numbers[1]) else {
      return nil
    }
    let left = numbers[0] * 1_000_000_000 + numbers[1]
    return left > 0 ? left : nil
  }

  /// The descriptors of an array of `struct pollfd`.
  private static func polled(at address: UInt64, count: UInt64, in processID: Int32) -> [Int32] {
    var entries = [pollfd](repeating: pollfd(), count: Int(min(count, UInt64(most))))
    guard !entries.isEmpty,
      lo_read_memory(processID, address, &entries, entries.count * MemoryLayout<pollfd>.stride) == 0
    else { return [] }
    return entries.map(\.fd)
  }

  /// The descriptors of a `fd_set`. The kernel, too, reads whole words of it.
  private static func selected(at address: UInt64, below limit: UInt64, in processID: Int32) -> [Int32] {
    let limit = max(0, min(Int(Int32(truncatingIfNeeded: limit)), Int(FD_SETSIZE)))
    var words = [UInt64](repeating: 0, count: (limit + 63) / 64)
    guard address != 0, !words.isEmpty, lo_read_memory(processID, address, &words, words.count * 8) == 0 else {
      return []
    }
    return (0..<Int32(limit)).filter { words[Int($0) / 64] & 1 << ($0 % 64) != 0 }
  }
}
