// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// The processes that a launch has left running: the program, its children, and orphans among them. While the launcher
/// is a subreaper, orphans become its children.
struct Descendants: Sendable {
  /// Children that the launcher had before, and what they had started: as orphans, these become its children, too. None of
  /// them belongs to the program. What they start later cannot be told from the program's orphans.
  private let strangers: Set<Int32>

  /// Create it before the launch.
  init() { strangers = Set(Self.tree { $0.parent == getpid() }.map(\.id)) }

  /// Sends `signal` to each of them that runs. Returns their number, including zombies.
  @discardableResult
  func send(_ signal: Int32) -> Int { Self.send(signal, to: all()) }

  /// Sends `signal` to a process and its descendants, without orphans. Returns their number, including zombies.
  static func send(_ signal: Int32, toTreeOf root: Int32) -> Int { send(signal, to: tree { $0.id == root }) }

  private static func send(_ signal: Int32, to processes: [Process]) -> Int {
    for process in processes where !process.isDead { send(signal, to: process) }
    return processes.count
  }

  private static func send(_ signal: Int32, to process: Process) {
    let descriptor = lo_open_process(process.id)
    defer { if descriptor >= 0 { close(descriptor) } }
    // Between reading /proc and opening the pidfd, the id may have passed to another process.
    guard Process(id: process.id)?.startTime == process.startTime else { return }
    // Some seccomp profiles refuse pidfds. Then the id may pass on until kill(2), which is less bad than to end nothing.
    if descriptor < 0 || ![0, ESRCH].contains(lo_signal_process(descriptor, signal)) { kill(process.id, signal) }
  }

  /// Reaps orphans that have ended. Returns the ids of all descendants that still run.
  @discardableResult
  func reap() -> [Int32] {
    // A process that becomes a daemon changes its parent while /proc is read, and may be missed. Then this process
    // still has children.
    for _ in 0..<20 {
      let left = reapSeen()
      if !left.isEmpty || !Self.areThereChildren { return left }
      usleep(1000)
    }
    return []
  }

  /// Reaps orphans that have ended, while the program runs. Without the launcher, init does that. Otherwise a program that makes
  /// many could make no process any more after some time.
  ///
  /// - Parameter program: its status, and those of its threads that are traced, are collected elsewhere.
  func reapOrphans(besides program: Int32) {
    while case let child = lo_ended_child(), child > 0, child != program {
      // The kernel always tells the oldest one. A stranger hides all that ended after it.
      if strangers.contains(child) {
        _ = reapSeen(besides: program)
        return
      }
      let isThread = access(ProcessFiles.folder(ofThread: child, of: program), F_OK) == 0
      guard !isThread, Process(id: child)?.parent == getpid(), Self.collect(child) else { return }
    }
  }

  /// Strangers themselves are left to the code that started them.
  private func reapSeen(besides program: Int32? = nil) -> [Int32] {
    all().compactMap { process in
      guard process.isDead else { return process.id }
      if process.parent == getpid(), process.id != program { Self.collect(process.id) }
      return nil
    }
  }

  /// Takes the status of a child that has ended. False if there was none.
  @discardableResult
  private static func collect(_ child: Int32) -> Bool {
    var status = lo_status()
    lo_poll_child(child, &status)
    return status.state == LO_EXITED || status.state == LO_SIGNALLED
  }

  /// Whether this process has any child, running or not: waitid(2).
  static var areThereChildren: Bool {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  /// Their current ids.
  var ids: Set<Int32> { Set(all().map(\.id)) }

  private func all() -> [Process] {
    Self.tree { $0.parent == getpid() && !strangers.contains($0.id) && !lo_closes_aside($0.id) }
  }

  /// Some processes, and those that they and their children started.
  static func tree(from isRoot: (Process) -> Bool) -> [Process] {
    let processes = processes()
    let children = Dictionary(grouping: processes, by: \.parent)
    // An id may pass to another process while all are read. So a process may seem to be its own descendant.
    var seen: Set<Int32> = []
    var (found, open): ([Process], [Process]) = ([], processes.filter(isRoot))
    while let process = open.popLast() {
      guard seen.insert(process.id).inserted else { continue }
      open += children[process.id] ?? []
      found.append(process)
    }
    return found
  }

  static func processes() -> [Process] {
    fileNames(in: "/proc").compactMap { Int32($0).flatMap { Process(id: $0) } }
  }

  /// A line of /proc/PID/stat: proc(5).
  struct Process {
    var id: Int32
    var state: Substring
    var parent: Int32
    /// Clock ticks since boot. Together with the id, this identifies a process for ever.
    var startTime: Substring
    /// Where the environment's strings are in its memory; empty if this user may not know.
    var environment: Range<UInt64>
    /// True for a kernel thread (PF_KTHREAD).
    var isOfKernel: Bool
    var isDead: Bool { state == "Z" || state == "X" }
    var isStopped: Bool { state == "T" || state == "t" }

    /// - Parameter process: for a thread of this process, the thread's own line.
    init?(id: Int32, of process: Int32? = nil) {
      let path =
        (process.map { ProcessFiles.folder(ofThread: id, of: $0) } ?? ProcessFiles.folder(id)) + "/stat"
      // The name is in brackets and may contain anything, including brackets.
      guard let line = fileText(path), let bracket = line.lastIndex(of: ")") else { return nil }
      let fields = line[line.index(after: bracket)...].split(separator: " ")
      guard fields.count > 19, let parent = Int32(fields[1]) else { return nil }
      self.id = id
      state = fields[0]
      self.parent = parent
      startTime = fields[19]
      isOfKernel = (UInt64(fields[6]) ?? 0) & 0x20_0000 != 0
      let place = fields.count > 48 ? (UInt64(fields[47]) ?? 0, UInt64(fields[48]) ?? 0) : (0, 0)
      environment = place.0..<max(place.0, place.1)
    }
  }
}
