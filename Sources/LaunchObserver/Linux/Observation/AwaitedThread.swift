// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// The thread that another thread waits for, found from the arguments of a system call and the program's memory.
enum AwaitedThread: Equatable {
  /// It holds a lock.
  case owner(Int32)
  /// It has to end: pthread_join(3), wait4(2).
  case end(Int32)

  var id: Int32 {
    switch self {
    case .owner(let id), .end(let id): id
    }
  }

  /// - Parameters:
  ///   - arguments: the six arguments of the system call.
  /// - Returns: nil if it is unknown.
  init?(_ processID: Int32, _ systemCall: String, _ arguments: [UInt64]) {
    switch systemCall {
    case "futex": self.init(processID, futex: arguments)
    // -1 and below: any child.
    case "wait4" where Int32(truncatingIfNeeded: arguments[0]) > 1:
      self = .end(Int32(truncatingIfNeeded: arguments[0]))
    // P_PID
    case "waitid" where arguments[0] == 1: self = .end(Int32(truncatingIfNeeded: arguments[1]))
    default: return nil
    }
  }

  /// - Parameter arguments: address, operation, value, …
  private init?(_ processID: Int32, futex arguments: [UInt64]) {
    // glibc's pthread_mutex_t: {lock, count, owner}.
    var words: [UInt32] = [0, 0, 0]
    guard lo_read_memory(processID, arguments[0], &words, 12) == 0 else { return nil }
    let isWait = arguments[1] & 0x7f == 0 || arguments[1] & 0x7f == 9
    let isPriorityInheriting = arguments[1] & 0x7f == 6 || arguments[1] & 0x7f == 13
    guard isWait || isPriorityInheriting else { return nil }
    let value = UInt32(truncatingIfNeeded: arguments[2])
    // Swift's Mutex and libdispatch's locks have the owner in the word itself (FUTEX_TID_MASK). A contended mutex of
    // glibc is 2.
    let isMutex = isWait && value == 2
    let thread = Int32(truncatingIfNeeded: isMutex ? words[2] : words[0] & 0x3fff_ffff)
    // A low number may be a counter, so the thread must exist.
    guard thread > 1, access(ProcessFiles.folder(ofThread: thread, of: processID), F_OK) == 0 else { return nil }
    // The kernel clears a thread's word when the thread ends. The word of a lock has a bit that marks waiting threads.
    self = isWait && !isMutex && value == words[0] && value >> 30 == 0 ? .end(thread) : .owner(thread)
  }
}
