internal import LaunchTrace

/// What a thread was seen to wait in: system calls that the observer met, pages that had to be read in.
struct WaitEvidence {
  /// A look at a thread that was off its processor (`launchprof.wait`).
  struct Look {
    var time: Int64
    var systemCall: String
    var path: String?
    var owner: Int32?
    var state: ThreadState
  }

  /// By time.
  private(set) var looks: [Look] = []
  /// When major faults were over, and the file of each, by time.
  private(set) var faults: [(time: Int64, path: String?)] = []

  /// A fault is counted when its page is there and the thread runs again: the wait before it, if that is no longer ago, ns.
  static let faultReach: Int64 = 500_000

  init(_ trace: Trace, track: Int32) {
    let instants = trace.instants
    let look = trace.strings.id(of: CategoryName.wait)?.rawValue ?? .max
    let fault = trace.strings.id(of: CategoryName.fault)?.rawValue ?? .max
    for row in 0..<instants.count where instants.track[row] == track {
      let annotations = AnnotationRow(trace, row: instants.annotation[row])
      let time = Time.bounded(instants.time[row])
      if instants.category[row] == fault {
        faults.append((time, annotations.string("path")))
      } else if instants.category[row] == look {
        let name = trace.strings[StringID(rawValue: instants.name[row])]
        let process = trace.tracks[Int(track)].processID
        let owner = annotations.integer("futex_owner_tid").flatMap { owner in
          trace.tracks.firstIndex { $0.kind == .thread && Int64($0.threadID) == owner && $0.processID == process }
        }
        let path = annotations.string("path")
        looks.append(
          Look(
            time: time, systemCall: name, path: path, owner: owner.map { Int32($0) },
            state: annotations.string("state") == "D"
              ? .blocked : SystemCall.state(name, path: path, isOwned: annotations["futex_owner_tid"] != nil)))
      }
    }
  }

  /// The last look at a pause.
  func look(from start: Int64, to end: Int64) -> Look? {
    let place = Self.first(looks.count) { looks[$0].time >= end } - 1
    return place >= 0 && looks[place].time >= start ? looks[place] : nil
  }

  /// The fault that a pause was for.
  func fault(from start: Int64, to end: Int64) -> (time: Int64, path: String?)? {
    let place = Self.first(faults.count) { faults[$0].time >= start }
    return place < faults.count && faults[place].time <= end + Self.faultReach ? faults[place] : nil
  }

  private static func first(_ count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// What a thread waits for in a system call (section 2 of the manual).
enum SystemCall {
  /// - Parameters:
  ///   - path: what the call's descriptor is open on, as `/proc/<pid>/fd` has it.
  ///   - isOwned: the futex's memory names an owner: it is a lock, not a condition.
  static func state(_ name: String, path: String?, isOwned: Bool) -> ThreadState {
    switch name {
    case "futex": isOwned ? .lock : .waiting
    case "flock", "fcntl": .lock
    case "nanosleep", "clock_nanosleep": .sleeping
    case "page-fault": .blocked
    case _ where others.contains(name): .waiting
    case _ where files.contains(name): path.map { isFile($0) } ?? true ? .blocked : .waiting
    default: .sleeping
    }
  }

  /// Event loops, and the first thread of a program whose main actor has moved on, wait here for anything to come.
  static func isForEvents(_ name: String?) -> Bool { name.map { eventLoops.contains($0) } ?? false }

  private static let eventLoops: Set<String> = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "rt_sigsuspend",
  ]

  /// Pipes and sockets are `pipe:[…]`, `socket:[…]`; a terminal is a device.
  private static func isFile(_ path: String) -> Bool { path.hasPrefix("/") && !path.hasPrefix("/dev/") }

  private static let others: Set<String> = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "wait4", "waitid", "accept",
    "accept4", "connect", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg", "pause", "rt_sigsuspend",
    "rt_sigtimedwait", "semop", "semtimedop", "mq_timedreceive", "mq_timedsend", "msgrcv", "vfork", "clone",
    "io_uring_enter",
  ]

  private static let files: Set<String> = [
    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "pwritev", "pwritev2", "open",
    "openat", "openat2", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getdents", "getdents64", "fsync", "fdatasync", "sync_file_range", "syncfs", "mmap", "munmap",
    "msync",
    "madvise", "mprotect", "execve", "execveat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir",
    "mkdirat", "rmdir", "sendfile", "copy_file_range", "readahead", "fadvise64", "fallocate", "ftruncate", "truncate",
    "close", "io_getevents", "mount", "swapon",
  ]
}
