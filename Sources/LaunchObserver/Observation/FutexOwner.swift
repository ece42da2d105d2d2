internal import CLaunchObserver
import Glibc

/// Which thread holds the lock that another one waits for in futex(2), read from the program's memory.
enum FutexOwner {
  /// - Parameter arguments: of the system call: address, operation, value, …
  /// - Returns: a thread of the process; nil when the word is no lock that says its owner.
  static func find(_ processID: Int32, _ arguments: [UInt64]) -> Int32? {
    // glibc's pthread_mutex_t: {lock, count, owner}.
    var words: [UInt32] = [0, 0, 0]
    guard lo_read_memory(processID, arguments[0], &words, 12) == 0 else { return nil }
    let isWait = arguments[1] & 0x7f == 0 || arguments[1] & 0x7f == 9
    let isPriorityInheriting = arguments[1] & 0x7f == 6 || arguments[1] & 0x7f == 13
    // Swift's Mutex and libdispatch's locks hold the owner in the word itself (FUTEX_TID_MASK).
    var candidates = [words[0] & 0x3fff_ffff]
    // A contended mutex of glibc is 2.
    if isWait, arguments[2] & 0xffff_ffff == 2 { candidates = [words[2]] }
    guard isWait || isPriorityInheriting else { return nil }
    return candidates.map { Int32(truncatingIfNeeded: $0) }.first { thread in
      // A low number may be a counter: it counts only as a thread that there is.
      thread > 1 && access("/proc/\(processID)/task/\(thread)", F_OK) == 0
    }
  }
}
