/// What can be done about a wait of the main thread: only what is true of what is known about it.
struct WaitAdvice {
  /// The system call; nil if the trace does not say.
  var systemCall: String?
  /// The file behind it; nil if the trace does not say.
  var path: String?
  /// How many waits there were of that call.
  var count: Int
  /// The program's own file.
  var executable: String
  /// True if the launch was made with its files out of memory.
  var isCold = false

  private static let syncs: Set<String> = ["fsync", "fdatasync", "syncfs", "sync_file_range", "msync", "sync"]
  private static let looks: Set<String> = [
    "open", "openat", "openat2", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2",
    "readlink",
    "readlinkat", "getdents", "getdents64",
  ]
  private static let writes: Set<String> = [
    "write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "fallocate",
  ]
  private static let reads: Set<String> = [
    "read", "readv", "pread64", "preadv", "preadv2", "sendfile", "copy_file_range",
  ]

  private var file: String { path.map { Findings.fileName($0) } ?? "it" }

  static func isSync(_ systemCall: String?) -> Bool { systemCall.map { syncs.contains($0) } ?? false }

  /// Of a wait for a disk.
  var forDisk: String {
    guard let systemCall else {
      return "The trace does not say for which file. Record with --detail scheduling, as root, to learn it."
    }
    if Self.syncs.contains(systemCall) {
      let times = count > 1 ? " \(count) times" : ""
      return "It waited\(times) until the disk had what was written (\(systemCall)). "
        + "Write everything first and sync once, or not at all if the data can be made again."
    }
    if systemCall == SystemCall.pageFault { return forPage }
    if Self.looks.contains(systemCall) {
      return "Open and look up fewer files before the launch is over: each waits for the disk when it is not in memory."
    }
    if Self.writes.contains(systemCall) { return "Write \(file) after the launch, or on another thread." }
    if Self.reads.contains(systemCall) { return "Read \(file) later, on another thread, or less of it." }
    return "Do this after the launch, or on another thread (\(systemCall))."
  }

  /// Of memory whose page had to be read.
  private var forPage: String {
    guard let path else { return "Memory was touched whose page lay on the disk. A second launch finds it in memory." }
    let again = isCold ? "" : " A second launch finds it in memory."
    if path == executable {
      return "The program's own code and data came from the disk, page by page.\(again) "
        + "For cold launches, make the program smaller."
    }
    if path.contains(".so") {
      return "\(file) came from the disk, page by page.\(again) For cold launches, load fewer or smaller libraries."
    }
    return "\(file) is mapped, and its pages came from the disk one by one. Touch less of it, or do it later."
  }

  /// Of a wait for a timer, a thread or a process.
  ///
  /// - Parameters:
  ///   - culprit: who had what it waited for, and how that is known.
  ///   - last: the last of whom that one waited for in turn.
  ///   - isMost: it was most of the launch.
  func forOthers(culprit: (title: String, link: Wait.Link)?, last: String?, isMost: Bool) -> String {
    switch systemCall {
    case "clock_nanosleep", "nanosleep": return "The program slept. Wait for what it needs, not for a time."
    case "wait4", "waitid":
      return "A child process did the work. If recorded with --follow, report --by thread shows what it did."
    default: break
    }
    guard let culprit else {
      return SystemCall.isForEvents(systemCall)
        ? "It waited for events. What should have sent them earlier? report --by thread shows what ran meanwhile."
        : "The trace does not say for whom. Record with --detail scheduling, as root, to learn it."
    }
    if let last, last != culprit.title {
      return "It waited for \(culprit.title), which waited for \(last): begin with \(last)."
    }
    if isMost { return "\(culprit.title) does most of the launch's work: see what it does with report --by thread." }
    switch culprit.link {
    case .owner: return "\(culprit.title) held the lock. Hold it for shorter, or do without it in the launch."
    case .awaited:
      return "It waited until \(culprit.title) had ended: await it later, or not before the launch is over."
    case .wakeup, .overlap, .interrupt:
      return "See what \(culprit.title) did in that time with report --by thread; ask it earlier, or await it later."
    }
  }
}
