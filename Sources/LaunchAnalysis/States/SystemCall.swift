// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// What a thread waits for in a system call (section 2 of the manual).
enum SystemCall {
  /// Not a system call: the thread touched memory whose page was not there.
  static let pageFault = "page-fault"

  static let execution = "execve"

  /// In place of a path: a timer ended a wait for events, and nothing else came before it.
  static let timer = "timer"

  /// No waits: the main thread, or its whole process, has ended, and others go on with the launch.
  static let threadEnd = "exit"
  static let processEnd = "exit_group"

  /// - Parameters:
  ///   - path: what the call's descriptor is open on, as in `/proc/<pid>/fd`.
  ///   - isOwned: the futex's memory names an owner, so it is a lock, not a condition.
  static func state(_ name: String, path: String?, isOwned: Bool) -> ThreadState {
    switch name {
    case "futex": isOwned ? .lock : .waiting
    case "flock", "fcntl": .lock
    case _ where isSleep(name, path: path): .sleeping
    case pageFault: .blocked
    case _ where others.contains(name) || memoryMap.contains(name): .waiting
    case _ where files.contains(name): path.map { isFile($0) } ?? true ? .blocked : .waiting
    default: .sleeping
    }
  }

  /// A parent waits uninterruptibly until its new process has executed its program.
  static func isForChild(_ name: String) -> Bool { ["vfork", "clone", "clone3"].contains(name) }

  static func isForEndOfChild(_ name: String) -> Bool { ["wait4", "waitid"].contains(name) }

  /// Calls that change the memory map. The kernel lets one thread of a process do so at a time, and the others wait
  /// uninterruptibly. They do not read what they map.
  static func isForMemoryMap(_ name: String?) -> Bool { name.map { memoryMap.contains($0) } ?? false }

  private static let memoryMap: Set<String> = ["mmap", "munmap", "mprotect", "mremap", "brk"]

  /// Calls that wait for any event. Event loops use them, and so does the first thread of a program after its main
  /// actor moved to another thread.
  static func isForEvents(_ name: String?, path: String?) -> Bool {
    name.map { eventLoops.contains($0) } == true && nameServer(path) == nil && !isSleep(name, path: path)
  }

  /// The address of a name server whose answer is awaited, from the path of a wait.
  static func nameServer(_ path: String?) -> String? {
    let head = LS_PATH_NAME_SERVER + ":"
    return path.flatMap { $0.hasPrefix(head) ? String($0.dropFirst(head.count)) : nil }
  }

  /// What a descriptor is open on, in one word: `pipe` for `pipe:[1234]`, `eventfd` for `anon_inode:[eventfd]`. A number means
  /// nothing to readers.
  static func kind(ofPath path: String) -> Substring {
    let head = "anon_inode:"
    guard path.hasPrefix(head) else { return path.prefix { $0 != ":" } }
    return path.dropFirst(head.count).drop { $0 == "[" }.prefix { $0 != "]" }
  }

  /// Whether a call waits for a time: also one for events of no descriptor, and a read of a timer.
  static func isSleep(_ name: String?, path: String?) -> Bool {
    name.map { sleeps.contains($0) } == true
      || [LS_PATH_TIMEOUT, timer, "anon_inode:[timerfd]"].contains(path)
  }

  /// Calls that wait for a time.
  private static let sleeps: Set<String> = ["nanosleep", "clock_nanosleep"]

  private static let eventLoops: Set<String> = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "rt_sigsuspend",
    "rt_sigtimedwait", "pause",
  ]

  /// The call in which a function of the C library waits, such as `poll` for `__GI___poll`, and for what; nil if the function
  /// does not say. The functions for locks and conditions are those of glibc.
  ///
  /// - Parameters:
  ///   - readsOnlyFiles: reads and writes of the thread are of files; nil if that is not known.
  ///   - opensOnlyFIFOs: the thread opens FIFOs, and waits for no disk when it does; nil if that is not known.
  static func waiting(
    in function: String, readsOnlyFiles: Bool?, opensOnlyFIFOs: Bool?
  ) -> (call: String, state: ThreadState)? {
    let call = callName(of: function)
    if call.hasPrefix("lll_lock_wait") || call.hasPrefix("pthread_rwlock_") { return ("futex", .lock) }
    if call.hasPrefix("futex_abstimed_wait") { return ("futex", .waiting) }
    if streams.contains(call) { return (call, readsOnlyFiles == true ? .blocked : .waiting) }
    if opens.contains(call), opensOnlyFIFOs == true { return (call, .waiting) }
    let isKnown =
      others.contains(call) || sleeps.contains(call) || files.contains(call) || ["flock", "fcntl"].contains(call)
    return isKnown ? (call, state(call, path: nil, isOwned: false)) : nil
  }

  /// `poll` for `__GI___poll`, `open` for `__open64_nocancel`.
  private static func callName(of function: String) -> String {
    var name = function.prefix { $0 != "@" }
    if name.hasPrefix("__GI_") { name = name.dropFirst(5) }
    name = name.drop { $0 == "_" }
    if name.hasPrefix("libc_") { name = name.dropFirst(5) }
    if name.hasSuffix("_nocancel") { name = name.dropLast(9) }
    let long = String(name) + "64"
    if files.contains(long) { return long }
    return String(name.hasSuffix("64") && !files.contains(String(name)) ? name.dropLast(2) : name)
  }

  /// Whether a function only makes the call that its caller names, as in glibc since 2.41 and in musl.
  static func isEntry(_ function: String) -> Bool {
    ["__syscall_c", "__internal_syscall_c"].contains { function.hasPrefix($0) }
  }

  /// Calls that are as often for pipes and sockets as for files.
  static let streams: Set<String> = ["read", "readv", "write", "writev"]

  /// Calls that wait for a disk, or for the other end of a FIFO.
  static let opens: Set<String> = ["open", "openat", "openat2"]

  /// Whether a function that led to a system call has a name of the C library: of the call, or of what uses it.
  static func isOfCLibrary(_ function: String) -> Bool {
    let heads = ["__", "_IO_", "pthread_", "sem_", "cnd_", "mtx_", "thrd_"]
    let name = String(function.prefix { $0 != "@" })
    return heads.contains { name.hasPrefix($0) } || eventLoops.contains(name) || sleeps.contains(name)
      || others.contains(name) || files.contains(name)
      || ["sleep", "usleep", "flock", "fcntl", "getaddrinfo", "system", "popen", "posix_spawn", "waitpid", "wait"]
        .contains(name)
  }

  /// Calls that wait for a signal. Only another process, or another thread, can end them.
  static func isForSignals(_ name: String?) -> Bool {
    name.map { ["rt_sigsuspend", "rt_sigtimedwait", "pause"].contains($0) } ?? false
  }

  /// Calls that wait for a file only because it is not in memory yet.
  static func isForReading(_ name: String?) -> Bool {
    let others: Set = [pageFault, execution, "execveat", "madvise", "readahead", "fadvise64"]
    return name.map { reads.contains($0) || looks.contains($0) || others.contains($0) } ?? false
  }

  static let looks: Set<String> = [
    "open", "openat", "openat2", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents", "getdents64",
  ]
  static let reads: Set<String> = [
    "read", "readv", "pread64", "preadv", "preadv2", "sendfile", "copy_file_range",
  ]

  /// Calls that read from a socket.
  static let receives: Set<String> = ["recvfrom", "recvmsg", "recvmmsg"]

  /// Calls that write to a socket.
  static let sends: Set<String> = ["sendto", "sendmsg", "sendmmsg"]

  /// Pipes and sockets are `pipe:[…]`, `socket:[…]`; a terminal is a device.
  private static func isFile(_ path: String) -> Bool { path.hasPrefix("/") && !path.hasPrefix("/dev/") }

  private static let others: Set<String> = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "wait4", "waitid", "accept",
    "accept4", "connect", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg", "pause", "rt_sigsuspend",
    "rt_sigtimedwait", "semop", "semtimedop", "mq_timedreceive", "mq_timedsend", "msgrcv", "vfork", "clone",
    "clone3", "io_uring_enter",
  ]

  private static let files: Set<String> = [
    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "pwritev", "pwritev2", "open",
    "openat", "openat2", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getdents", "getdents64", "fsync", "fdatasync", "sync_file_range", "sync", "syncfs", "msync",
    "madvise", "execve", "execveat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir",
    "mkdirat", "rmdir", "sendfile", "copy_file_range", "readahead", "fadvise64", "fallocate", "ftruncate", "truncate",
    "close", "io_getevents", "mount", "swapon",
  ]
}
