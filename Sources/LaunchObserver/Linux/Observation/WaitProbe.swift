// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
import Glibc
internal import LaunchSystem

/// Checks from time to time what the first thread of a process waits in: /proc/PID/task/TID/syscall and stat. If it
/// waits for another thread, checks that one too, and so on. If it rests in a wait for no known thread, as that of a
/// program with an `async` main does, now and then checks all threads (D297). The process does not notice.
///
/// It looks every millisecond at first, later at intervals of a hundredth of the elapsed time: in a longer launch,
/// longer waits matter. Each look also costs the program something. So it looks less often while no thread waits.
struct WaitProbe {
  /// A thread was off the CPU at a look. A thread that reads from a disk waits many times for less than a millisecond,
  /// so one look is enough.
  struct Finding {
    var threadID: Int32
    /// CLOCK_MONOTONIC ns.
    var time: Int64
    /// `futex`, `read`, …; `page-fault` if the thread waits in no system call.
    var systemCall: String
    /// The state in /proc/PID/task/TID/stat: S or D.
    var state: String
    /// The file of the call's descriptor or path argument; empty for none.
    var path: String
    var awaited: AwaitedThread?
    /// Whether a futex has a timeout; nil for other calls.
    var isTimed: Bool?
    /// When the timeout ends, or the next timer of a wait for events, CLOCK_MONOTONIC ns; nil if that is not known. The wait ends no
    /// later.
    var deadline: Int64?
    /// The timeout of a wait for events from its start on, ns; nil for other calls.
    var timeout: Int64?

    func hasSameReason(as other: Finding) -> Bool {
      systemCall == other.systemCall && state == other.state && path == other.path && awaited == other.awaited
        && isTimed == other.isTimed && timeout == other.timeout && (isTimed != nil || hasSameTimer(as: other))
    }

    private func hasSameTimer(as other: Finding) -> Bool {
      guard let deadline, let last = other.deadline else { return deadline == other.deadline }
      // The time that is left is read a little before the clock.
      return abs(deadline - last) < 500_000
    }
  }

  private let processID: Int32
  private let start: Int64
  private let call: Int32
  private(set) var nextTime: Int64?
  private(set) var findings: [Finding] = []
  private var last = Look()
  private var interval = shortest
  /// The last look at each other thread.
  private var others: [Int32: Look] = [:]
  /// Where perf does not report when the first thread runs.
  private var times: ProcessorTimes?
  /// Where it does, but not how long that thread waited for a processor.
  private var queue: QueueTimes?
  /// When the first thread had ended, and others went on; nil if it has not.
  private(set) var firstEnd: Int64?
  private var looksUntilEnd: [ProcessorTimes.Look] = []
  /// When the kernel began to refuse looks at the process, which lives: prctl(2), PR_SET_DUMPABLE; nil if it never did.
  private(set) var refusal: Int64?
  /// The last look began a wait in which the first thread can be stopped without consequences, to copy its stack.
  private(set) var canStop = false
  /// It was stopped in its wait since the last look, and may still need this many looks until it waits again; 0 if it was not.
  private var looksAfterStop = 0
  /// How many looks in a row found the first thread at the same place, and how many findings are of all threads.
  private var rests = 0
  private var surveyed = 0

  private struct Look {
    var place = CurrentCall.running
    /// Its index in `findings`.
    var finding: Int?
  }

  private static let shortest: Int64 = 1_000_000
  private static let longest: Int64 = 1_000_000_000
  /// The longest time between looks at a program that computes.
  private static let longestOfBusy: Int64 = 4_000_000
  /// How long after a stop the thread waits again, ns: mostly, and at most that many doublings of it later.
  private static let afterStop: Int64 = 100_000
  private static let mostAfterStop = 6
  /// The largest number of waits that are kept.
  private static let most = 20_000
  /// The longest chain of threads that wait for each other.
  private static let deepest = 4
  /// All threads are checked at each fourth look at a resting first thread; not more threads and findings than these.
  private static let restsPerSurvey = 4
  private static let mostThreads = 64
  private static let mostSurveyed = 10_000

  /// - Parameter readsTimes: whether to read how long the first thread has run, at each look.
  init(processID: Int32, start: Int64, readsTimes: Bool) {
    self.processID = processID
    self.start = start
    call = CurrentCall.open(processID, of: processID)
    nextTime = call >= 0 ? start + Self.shortest : nil
    guard call >= 0 else {
      if errno == EACCES, Self.forbidsLooks(processID) { refusal = Int64(lo_now()) }
      return
    }
    if readsTimes {
      times = ProcessorTimes(thread: processID, of: processID)
    } else {
      queue = QueueTimes(thread: processID, of: processID)
    }
  }

  /// The directory of a process belongs to whom it runs as; the files in it belong to root if it forbids looks: proc_pid(5).
  private static func forbidsLooks(_ process: Int32) -> Bool {
    let folder = ProcessFiles.folder(process)
    var (directory, file) = (stat(), stat())
    guard stat(folder, &directory) == 0, stat(folder + "/syscall", &file) == 0 else { return false }
    return directory.st_uid == geteuid() && directory.st_gid == getegid() && file.st_uid != geteuid()
  }

  /// - Parameter hasWaited: whether a thread of the program has given up its processor since the last look.
  mutating func look(at now: Int64, hasWaited: Bool) {
    let isBusy = !hasWaited && last.place.isRunning
    interval = isBusy ? min(interval * 2, Self.longestOfBusy) : Self.shortest
    nextTime = now + max(interval, min(Self.longest, (now - start) / 100))
    if isBusy { return }
    errno = 0
    guard let place = CurrentCall.read(call) else { return endOfLooks() }
    if place.hasEnded, goesOnWithOthers() { return }
    if place.isRunning, looksAfterStop > 1 {
      looksAfterStop -= 1
      nextTime = now + Self.afterStop << Int64(Self.mostAfterStop - looksAfterStop)
      return
    }
    let continues = !place.isRunning && place.mayContinue(last.place)
    times?.look(at: Int64(lo_now()), isWaiting: !place.isRunning, continuesWait: continues && looksAfterStop > 0)
    queue?.look(at: Int64(lo_now()))
    looksAfterStop = 0
    let isFirst = !continues || last.finding == nil
    rests = continues ? rests + 1 : 0
    last = look(at: processID, place, after: last)
    let isNew = isFirst || times?.hasRun ?? false
    canStop = isNew && last.finding.map { findings[$0].survivesStop } ?? false
    if let row = last.finding {
      lookFurther(from: findings[row].awaited)
      if findings[row].awaited == nil, rests % Self.restsPerSurvey == 1 { survey() }
    }
    if findings.count >= Self.most { end() }
  }

  /// The process has ended, or the kernel refuses further looks at it.
  private mutating func endOfLooks() {
    if [EPERM, EACCES].contains(errno) { refusal = Int64(lo_now()) }
    end()
  }

  /// The first thread has ended, as `pthread_exit` in `main` does. False if its process has no other thread.
  private mutating func goesOnWithOthers() -> Bool {
    guard fileNames(in: "\(ProcessFiles.folder(processID))/task").count > 1 else { return false }
    if firstEnd == nil {
      times?.end()
      (looksUntilEnd, times) = (times?.looks ?? [], nil)
      firstEnd = Int64(lo_now())
    }
    survey()
    if findings.count >= Self.most { end() }
    return true
  }

  /// Keeps the findings so far, and closes the descriptors.
  mutating func end() {
    if nextTime == nil { return }
    close(call)
    times?.end()
    // Of a process that has ended, and whose status is not yet collected.
    queue?.look(at: Int64(lo_now()))
    queue?.end()
    nextTime = nil
  }

  /// Whether the first thread runs, or waits for a processor, and not because of a stop.
  var isRunning: Bool { nextTime != nil && looksAfterStop == 0 && CurrentCall.read(call)?.isRunning ?? false }

  /// The first thread was stopped in its wait. Looks again soon: what it has run then, it ran because of the stop.
  mutating func stoppedInWait(at time: Int64) {
    canStop = false
    looksAfterStop = Self.mostAfterStop
    nextTime = nextTime.map { min($0, time + Self.afterStop) }
  }

  /// A stop found the first thread in a call that no look has seen, and that has another name from now on.
  mutating func interrupted(_ call: CurrentCall) { if !call.mayContinue(last.place) { last = Look(place: call) } }

  /// When the first thread stopped, if the launcher notices it now, and may be late.
  func stopBegan(before now: Int64, lateBy lateness: Int64) -> Int64 {
    nextTime == nil ? now : times?.stopBegan(before: now, lateBy: lateness) ?? now
  }

  /// The launcher may soon hold the first thread.
  mutating func willHold() { if nextTime != nil { times?.willHold() } }

  /// The launcher held the first thread for this time.
  mutating func held(from start: Int64, to end: Int64, isLate: Bool) {
    if nextTime != nil { times?.held(from: start, to: end, isLate: isLate) }
  }

  /// The process has ended.
  mutating func lookAtEnd() {
    guard nextTime != nil else { return }
    times?.look(at: Int64(lo_now()), isWaiting: false)
    queue?.look(at: Int64(lo_now()))
  }

  /// Whether the kernel says how long threads have run.
  var knowsTimes: Bool { times != nil }

  /// How long the first thread had run at each look; empty if it was not asked for, or is not known.
  var looks: [ProcessorTimes.Look] {
    let looks = times?.looks ?? looksUntilEnd
    return looks.count > 1 ? looks : []
  }

  /// How long the first thread had waited for a processor at each look; empty where perf does not report its turns.
  var queueLooks: [QueueTimes.Look] { queue?.looks ?? [] }

  /// Finds what the awaited thread waits in, and so on along the chain.
  private mutating func lookFurther(from first: AwaitedThread?) {
    var awaited = first
    var seen: Set<Int32> = [processID]
    while let thread = awaited?.id, seen.insert(thread).inserted, seen.count <= Self.deepest + 1 {
      guard lookAtOther(thread) else { return }
      awaited = others[thread]?.finding.flatMap { findings[$0].awaited }
    }
  }

  /// Finds what each other thread waits in.
  private mutating func survey() {
    let threads = fileNames(in: "\(ProcessFiles.folder(processID))/task").compactMap { Int32($0) }
    for thread in threads.prefix(Self.mostThreads) where thread != processID && surveyed < Self.mostSurveyed {
      let before = findings.count
      _ = lookAtOther(thread)
      surveyed += findings.count - before
    }
  }

  /// - Returns: false if the thread has ended.
  private mutating func lookAtOther(_ thread: Int32) -> Bool {
    let file = CurrentCall.open(thread, of: processID)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard let place = CurrentCall.read(file) else { return false }
    others[thread] = look(at: thread, place, after: others[thread] ?? Look())
    return true
  }

  /// Notes what a thread waits in. If it is still at the same place, the files need not be read again, unless it reads:
  /// then its next wait would look the same. Its lock may have another owner.
  private mutating func look(at thread: Int32, _ place: CurrentCall, after last: Look) -> Look {
    // Between the reads of the two files: the instant at which both say that it waits.
    let time = Int64(lo_now())
    var look = Look(place: place)
    if place.isRunning { return look }
    if let row = last.finding, place.mayContinue(last.place), findings[row].state == "S" {
      var finding = findings[row]
      finding.time = time
      let arguments = Array(place.values.prefix(6))
      // A lock passes from thread to thread while others still wait for it. Between two threads, it has no owner.
      if case .owner = finding.awaited {
        finding.awaited = AwaitedThread(processID, finding.systemCall, arguments) ?? finding.awaited
      }
      // A loop waits again and again in the same call, each time for another timer.
      setTimers(of: &finding, arguments)
      findings.append(finding)
    } else if let finding = finding(of: thread, place.mayContinue(last.place) ? last.place : place, at: time) {
      findings.append(finding)
    } else {
      return look
    }
    look.finding = findings.count - 1
    return look
  }

  private func finding(of thread: Int32, _ place: CurrentCall, at time: Int64) -> Finding? {
    guard let state = Descendants.Process(id: thread, of: processID)?.state, state == "S" || state == "D" else {
      return nil
    }
    guard let number = place.number else { return nil }
    var finding = Finding(threadID: thread, time: time, systemCall: "page-fault", state: String(state), path: "")
    guard number >= 0 else { return finding }
    let values = place.values
    let (arguments, places) = (Array(values.prefix(6)), values.dropFirst(6))
    // A 64-bit program has its stack higher. 32-bit programs count their calls differently.
    let hasNative = places.isEmpty || places.contains { $0 > UInt32.max }
    let call = hasNative ? number : lo_system_call_of_32_bits(number)
    finding.systemCall = call < 0 ? "system call \(number) (32-bit)" : Self.systemCallName(call)
    guard arguments.count == 6, call >= 0 else { return finding }
    if let form = lo_system_call_of_file(call)?.pointee {
      finding.path = CallFile(processID: processID, isSleeping: state == "S").path(form, arguments)
    }
    if ["poll", "ppoll"].contains(finding.systemCall) {
      let server = NameServer(of: processID, folder: ProcessFiles.folder(processID), arguments)
      finding.path = server.map { "\(LS_PATH_NAME_SERVER):\($0.address)" } ?? ""
    }
    if Self.isTimeout(finding.systemCall, arguments) { finding.path = LS_PATH_TIMEOUT }
    finding.awaited = AwaitedThread(processID, finding.systemCall, arguments)
    // futex(2): the address, the operation, a value, the timeout.
    if finding.systemCall == "futex" {
      finding.isTimed = arguments[3] != 0
      finding.deadline = deadline(arguments)
    }
    setTimers(of: &finding, arguments)
    return finding
  }

  private func setTimers(of finding: inout Finding, _ arguments: [UInt64]) {
    guard finding.path.isEmpty || finding.path.hasPrefix("anon_inode:"),
      let timers = EventTimers(
        of: processID, folder: ProcessFiles.folder(processID), finding.systemCall, arguments)
    else { return }
    (finding.deadline, finding.timeout) = (timers.expiry, timers.timeout)
  }

  /// Whether poll(2) or select(2) waits for a time only: it has no descriptors, and a timeout.
  static func isTimeout(_ call: String, _ arguments: [UInt64]) -> Bool {
    guard arguments.count >= 5 else { return false }
    // The argument is an `int`, of which the upper half of the register says nothing.
    func number(_ place: Int) -> Int32 { Int32(truncatingIfNeeded: arguments[place]) }
    return switch call {
    case "poll": number(1) == 0 && number(2) > 0
    case "ppoll": number(1) == 0 && arguments[2] != 0
    case "select", "pselect6":
      (number(0) == 0 || arguments[1...3].allSatisfy { $0 == 0 }) && arguments[4] != 0
    default: false
    }
  }

  /// FUTEX_WAIT_BITSET (9), with which the C library waits, has the instant at which its timeout ends. The time of other
  /// operations is relative to their start, which is not known.
  private func deadline(_ arguments: [UInt64]) -> Int64? {
    let isRealTime = arguments[1] & 256 != 0
    var time = timespec()
    guard arguments[3] != 0, arguments[1] & 0x7f == 9,
      lo_read_memory(processID, arguments[3], &time, MemoryLayout<timespec>.size) == 0,
      (0..<1 << 33).contains(time.tv_sec), (0..<1_000_000_000).contains(time.tv_nsec)
    else { return nil }
    let instant = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    guard isRealTime else { return instant }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(lo_now()) + instant - (Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  static func systemCallName(_ number: Int) -> String {
    lo_system_call_name(number).map { String(cString: $0) } ?? "system call \(number)"
  }
}
