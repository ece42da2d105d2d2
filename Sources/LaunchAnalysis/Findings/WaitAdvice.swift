// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Advice about a wait of the main thread. It says only what follows from what the trace knows about the wait.
struct WaitAdvice {
  /// The system call; nil if the trace does not say.
  var systemCall: String?
  /// The file of that call; nil if the trace does not say.
  var path: String?
  /// How many files are known, if there were several; else 0.
  var files = 0
  /// The program's own file.
  var executable: String
  /// True if the files were removed from the page cache before the launch.
  var isCold = false
  /// Whether the trace has what child processes did.
  var showsChildren = false
  /// Whether the program has one thread only, as far as the trace knows.
  var isAlone = false
  /// The pipe or FIFO that was the program's standard input; empty if the input was neither, nil if it is not known.
  var inputPipe: String? = nil
  /// The program's own function that waited; nil if the trace does not say.
  var function: String? = nil
  /// Which other recording would say more.
  var further = FurtherRecording()
  /// What the trace knows about the work of the thread that was waited for.
  var work = Work.sampled

  enum Work {
    case sampled, unsampled
    /// It is a thread of another program.
    case elsewhere
  }

  /// How a thread passed most of a wait for it, if it did not run.
  struct Pause {
    var state: ThreadState
    /// The system call, its file, and the thread's own function; nil if the trace does not say.
    var systemCall: String?
    var path: String?
    var function: String?
    fileprivate var isSleep: Bool { SystemCall.isSleep(systemCall, path: path) }
  }

  private static let syncs: Set<String> = ["fsync", "fdatasync", "syncfs", "sync_file_range", "msync", "sync"]
  private static let writes: Set<String> = [
    "write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "fallocate",
  ]
  private var isTerminal: Bool { path.map { $0.hasPrefix("/dev/pts/") || $0.hasPrefix("/dev/tty") } ?? false }
  private var isWrite: Bool { systemCall.map { Self.writes.contains($0) || SystemCall.sends.contains($0) } ?? false }
  private var isFIFO: Bool { path?.hasPrefix(Self.fifo) == true }
  private var isPipe: Bool { path?.hasPrefix("pipe:") == true || isFIFO }
  private var isSocket: Bool { path?.hasPrefix("socket:") == true }
  private var isFileLock: Bool { path?.hasPrefix("/") == true && ["flock", "fcntl"].contains(systemCall) }
  private var file: String { files > 1 ? "these files" : path.map { fileName($0) } ?? "it" }
  private static let fifo = "fifo:"

  var forDisk: String {
    guard let systemCall else { return "The trace does not say for which file.\(further.toFindOut())" }
    if Self.syncs.contains(systemCall) {
      // One call may wait many times, so the number of waits says nothing.
      return
        "It waited until written data was on the disk (\(systemCall)). Sync after the launch, on another thread, or not "
        + "at all if the data can be created again. If it syncs several times, write everything first and sync once."
    }
    if systemCall == SystemCall.pageFault { return forPage }
    if systemCall == SystemCall.execution {
      return "The kernel read \(path.map { fileName($0) } ?? "the program") from the disk to start it."
        + (isCold ? " For cold launches, make the program smaller." : " A second launch finds it in memory.")
    }
    if SystemCall.looks.contains(systemCall) {
      return "Open and look up fewer files during the launch. Each one that is not in memory waits for the disk."
    }
    if Self.writes.contains(systemCall) { return "Write \(file) after the launch, or on another thread." }
    if SystemCall.reads.contains(systemCall) { return "Read \(file) later, on another thread, or only in part." }
    return "Do this after the launch, or on another thread (\(systemCall))."
  }

  /// Advice about memory whose page had to be read from a disk.
  private var forPage: String {
    let again = isCold ? "" : " A second launch finds it in memory."
    if files > 1 {
      return "Pages of \(files) files were read from the disk, one by one. Each library is a file: for cold launches, "
        + "load fewer or smaller ones."
    }
    guard let path else {
      return "The program used memory whose page was on the disk. A second launch finds it in memory."
    }
    if path == executable {
      return "The program's own code and data were read from the disk, page by page.\(again) "
        + "For cold launches, make the program smaller."
    }
    if path.contains(".so") {
      return "\(file) was read from the disk, page by page.\(again) For cold launches, load fewer or smaller libraries."
    }
    return "\(file) is mapped, and its pages were read from the disk one by one. Use less of it, or use it later."
  }

  /// Advice about a wait for a timer, a thread or a process.
  ///
  /// - Parameters:
  ///   - culprit: the thread or process that the main thread waited for, and how it is known.
  ///   - last: the last thread of the chain of waits that starts with `culprit`.
  ///   - pause: how `culprit` itself passed most of the wait; nil if it ran, or if the trace does not say.
  ///   - isMost: whether the wait took most of the launch.
  ///   - isLock: whether it was a wait for a lock.
  func forOthers(
    culprit: (title: String, link: Wait.Link)?, last: String?, pause: Pause? = nil, isMost: Bool,
    isLock: Bool = false
  ) -> String {
    if SystemCall.isSleep(systemCall, path: path) {
      let place = function.map { " in \($0)" } ?? ""
      let hint = function == nil ? further.toSeeWhere : ""
      if path == SystemCall.timer {
        return
          "A timer ended the wait\(place), such as that of Task.sleep, of asyncAfter, or a timeout. Wait for the event that the "
          + "launch needs instead of a fixed time.\(hint)"
      }
      return "The program slept\(place). Wait for the event that it needs instead of a fixed time.\(hint)"
    }
    let place = function.map { "It waited in \($0). " } ?? ""
    return place + reason(culprit: culprit, last: last, pause: pause, isMost: isMost, isLock: isLock)
  }

  private func reason(
    culprit: (title: String, link: Wait.Link)?, last: String?, pause: Pause?, isMost: Bool, isLock: Bool
  ) -> String {
    switch systemCall {
    case let call? where SystemCall.isForEndOfChild(call):
      if !showsChildren { return "It waited for a child process. To see what the child did, \(further.toFollow)" }
      if culprit == nil { return "It waited for a child process. \(Self.children)" }
    case let call? where SystemCall.isForChild(call) && (culprit == nil || !showsChildren):
      return "It started a process, and waited until that had executed its program. "
        + (showsChildren ? Self.children : "To see what it did until then, \(further.toFollow)")
    case let call where SystemCall.isForMemoryMap(call):
      return "The kernel changes the memory map of a program for one thread at a time. "
        + "Start fewer threads at once, or allocate less in them during the launch."
    default: break
    }
    if SystemCall.nameServer(path) != nil {
      return
        "It looked up a host name (getaddrinfo), and the name server answered late or never. Do that on another thread, "
        + "or later."
    }
    guard let culprit else { return forUnknown }
    if let last, last != culprit.title {
      return "It waited for \(culprit.title), which waited for \(last). Start with \(last)."
    }
    if isMost {
      return "Most of the launch is a wait\(culprit.link.isLikely ? ", probably" : "") for \(culprit.title). "
        + (pause.map(forPause) ?? (work == .sampled ? "Its samples show what it does (report --full)." : forWork))
    }
    switch (culprit.link, isLock) {
    case (.owner, _), (.wakeup, true):
      return "\(culprit.title) held the lock. Hold it for a shorter time, or avoid it during the launch."
    case (.awaited, _):
      let work = pause.map(forPause) ?? (work == .sampled ? "Its samples show what it did (report --full)." : "")
      return "It waited until \(culprit.title) ended. " + (work.isEmpty ? "" : work + " ")
        + "Wait for it later, or after the launch."
    case (.wakeup, _), (.overlap, _), (.interrupt, _), (.last, _), (.end, _), (.creation, _):
      if let pause {
        return "The wait was\(culprit.link.isLikely ? " probably" : "") for \(culprit.title). \(forPause(pause))"
      }
      let work =
        work == .sampled
        ? "The samples of \(culprit.title) show what it did (report --full)."
        : "It waited for \(culprit.title). \(forWork)"
      return "\(work) Start its work earlier, or wait for it later."
    }
  }

  /// Advice about a wait for which the trace names no thread or process.
  private var forUnknown: String {
    if systemCall == SystemCall.threadEnd {
      return "The main thread had ended, and other threads went on with the launch: report --by thread."
    }
    if systemCall == SystemCall.processEnd {
      return "The launched process had ended, and a process that it had started went on. "
        + (showsChildren ? Self.children : "To see what that one did, \(further.toFollow)")
    }
    if isAlone, SystemCall.isForSignals(systemCall) {
      return showsChildren
        ? "It waited for a signal, such as that of a child process. \(Self.children)"
        : "It waited for a signal. If it started another program, as timeout does, record that one. To see both, "
          + further.toFollow
    }
    if isWrite, isTerminal {
      return "The terminal did not take its output: it was slow, or stopped (Ctrl-S). Print less during the launch."
    }
    if isWrite, isPipe || isSocket {
      return "It waited until another process read what it had written. Write less during the launch, or read faster."
    }
    if isTerminal { return "It waited for input from the terminal. Give it the input in a file." }
    if systemCall.map({ SystemCall.opens.contains($0) }) == true, path == nil || isFIFO {
      let name = path.map { fileName(String($0.dropFirst(Self.fifo.count))) } ?? "a FIFO"
      return "It waited until another process opened the other end of \(name). Open it later, or on another thread."
    }
    if isPipe, systemCall.map({ SystemCall.reads.contains($0) }) == true { return forPipe }
    if isFileLock {
      return
        "Another process or thread held the lock of \(file) (\(systemCall ?? "")). Hold it for a shorter time, or "
        + "avoid it during the launch.\(further.toFindOut(" who held it"))"
    }
    if let forSocket { return forSocket }
    if !SystemCall.isForEvents(systemCall, path: path) {
      return "The trace does not say what it waited for.\(further.toFindOut())"
    }
    if isAlone, !showsChildren {
      return "It waited for events. The program has no other thread: if they came from a child process, "
        + further.toFollow + answers
    }
    return further.isEstimated
      ? "It waited for events.\(further.toFindOut(" why they came late"))\(answers)"
      : "It waited for events. Find out why they came late: report --by thread shows what ran in that time.\(answers)"
  }

  private var forPipe: String {
    if path == inputPipe {
      return "It waited for its standard input, a pipe that another program writes. Give it the input in a file."
    }
    // A program may put another pipe in that place.
    let input =
      inputPipe == nil ? "which may be its standard input" : "which is not the input that it was launched with"
    return "It waited for data in a pipe, \(input). "
      + (showsChildren ? Self.children : "If a child process writes that data, \(further.toFollow)")
  }

  /// Advice about a call that waits for another program.
  private var forSocket: String? {
    switch systemCall {
    case "accept", "accept4":
      "It waited until another program connected to it. A server is ready before that: say when with --ready."
    case "connect": "It waited until another program accepted its connection. Connect later, or on another thread."
    case let call? where SystemCall.receives.contains(call) || SystemCall.reads.contains(call) && isSocket:
      "It waited for an answer from a socket. Find out why the answer came late, ask later, or ask on another thread."
    default: nil
    }
  }

  /// Advice about a thread that was waited for, and that has no samples.
  private var forWork: String {
    guard work == .elsewhere else { return further.toSeeWork }
    return showsChildren
      ? "That is a thread of another program: find out why it was late."
      : "That is a thread of another process. If the program started it, \(further.toFollow)"
  }

  /// Advice about a thread that was waited for, and that did not run for most of that time.
  private func forPause(_ pause: Pause) -> String {
    switch pause.state {
    case .blocked: "For most of that time, it waited for a disk. A second launch may find its files in memory."
    case .runnable:
      "For most of that time, it waited for a CPU\(work == .sampled ? ", so its samples show little." : ".")"
    default:
      "For most of that time, it \(pause.isSleep ? "slept" : "waited as well")"
        + (pause.systemCall.map { " (\($0))" } ?? "") + (pause.function.map { ", in \($0)." } ?? ".")
        + (pause.isSleep ? "" : further.toFindOut(" for what"))
    }
  }

  /// glibc waits for name servers in poll(2), and so do many blocking clients of other services.
  private var answers: String {
    guard systemCall == "poll" else { return "" }
    return " A blocking look-up of a host name (getaddrinfo) also waits in poll: do it on another thread, or later."
  }

  private static let children = "report --by thread shows how long each child process lived and ran."
}
