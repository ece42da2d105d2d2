// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// Evidence of what a thread waited for: system calls that the observer found it in, and pages that had to be read.
struct WaitEvidence {
  /// A look at a thread that was off its processor (`launchprof.wait`).
  struct Look {
    var time: Int64
    var systemCall: String
    var path: String?
    var state: ThreadState
    /// The thread that it waited for, and how that is known.
    var culprit: Int32?
    var link: Wait.Link?
    var needsThread: Bool
    /// When its timeout ends, or the next timer among its descriptors, ns; nil if the trace does not say.
    var deadline: Int64?
    /// The timeout of a wait for events, from its start on, ns; nil if the trace does not say.
    var timeout: Int64?

    var isDisk: Bool { state == .blocked }

    /// Whether a timer or a timeout ended a wait: nothing else came before it (D388).
    func isTimer(of pause: ThreadTurns.Pause) -> Bool {
      let end = pause.woken ?? pause.end
      let isLong = end - pause.start >= Self.leastTimer
      guard isLong, pause.waker < 0, SystemCall.isForEvents(systemCall, path: path) else { return false }
      return [deadline, timeout.map { pause.start + $0 }].contains { expiry in
        expiry.map { Self.timerError.contains(end - $0) } ?? false
      }
    }

    /// How much earlier or later than its timer a wait ends, ns. A busy machine lets the thread wait for a processor.
    private static let timerError: ClosedRange<Int64> = -100_000...5_000_000
    /// A user interface waits for its next frame, up to 16.7 ms at 60 Hz.
    private static let leastTimer: Int64 = 20_000_000
  }

  /// By time.
  private(set) var looks: [Look] = []
  /// Whether the looks found reads and writes of files, and of nothing else; nil if they found none.
  private(set) var readsOnlyFiles: Bool?
  /// Whether the looks found opens of FIFOs, and of nothing else; nil if they found none.
  private(set) var opensOnlyFIFOs: Bool?
  /// The end and the file of each major fault, by time.
  private(set) var faults: [(time: Int64, path: String?)] = []

  /// When the thread left its processor to wait, and its stack then (a row of `Trace.stacks`), by time.
  private(set) var stacks: [(time: Int64, row: Int32)] = []

  private var executions: [Execution] = []

  /// A fault is recorded when its page is there and the thread runs again. It explains the wait before it, if that
  /// wait ended at most this long ago, ns.
  static let faultReach: Int64 = 500_000

  /// The longest time between two looks of the observer, ns, at a time since the launch's start: docs/trace-format.md.
  static func lookInterval(at time: Int64) -> Int64 { max(4_000_000, min(1_000_000_000, time / 100)) }

  /// The evidence for each thread that has any, in one pass.
  static func all(_ trace: Trace) -> [Int32: WaitEvidence] {
    let instants = trace.instants
    let look = trace.strings.id(of: CategoryName.wait)?.rawValue
    let fault = trace.strings.id(of: CategoryName.fault)?.rawValue
    var found: [Int32: WaitEvidence] = [:]
    let waits = trace.waitStacks
    for row in 0..<waits.count where waits.stack[row] >= 0 {
      found[waits.track[row], default: WaitEvidence()].stacks.append((waits.time[row], waits.stack[row]))
    }
    guard look != nil || fault != nil else { return found }
    let threads = ThreadNumbers(trace)
    for row in 0..<instants.count where instants.category[row] == look || instants.category[row] == fault {
      let track = instants.track[row]
      let annotations = trace.annotations(ofInstant: row)
      let time = instants.time[row]
      if instants.category[row] == fault {
        found[track, default: WaitEvidence()].faults.append((time, annotations.string(LS_KEY_PATH)))
      } else {
        let name = trace.strings[StringID(rawValue: instants.name[row])]
        let look = Look(name, time, annotations, threads: threads, processID: trace.tracks[Int(track)].processID)
        found[track, default: WaitEvidence()].add(look)
      }
    }
    return found
  }

  private mutating func add(_ look: Look) {
    looks.append(look)
    if SystemCall.streams.contains(look.systemCall) { readsOnlyFiles = look.isDisk && readsOnlyFiles != false }
    if SystemCall.opens.contains(look.systemCall) { opensOnlyFIFOs = !look.isDisk && opensOnlyFIFOs != false }
  }

  /// The last look during a pause.
  func look(from start: Int64, to end: Int64) -> Look? {
    let place = looks.partitioningIndex { $0.time >= end } - 1
    return place >= 0 && looks[place].time >= start ? looks[place] : nil
  }

  /// A thread that reads from a disk waits again and again, each time for less than the time between two looks. For a
  /// pause without a look, this returns a look nearby.
  ///
  /// - Parameters:
  ///   - launch: the launch's start, ns.
  /// - Returns: a look that found a wait for a disk, or for a page. Either a look before and one after the pause
  ///   found the same call and file, or this is the nearest look, at most two distances of looks away.
  func burst(around start: Int64, _ end: Int64, launch: Int64) -> Look? {
    let next = looks.partitioningIndex { $0.time >= end }
    let after = next < looks.count ? looks[next] : nil
    let before = next > 0 ? looks[next - 1] : nil
    if let before, let after, before.isDisk, before.systemCall == after.systemCall, before.path == after.path {
      return after
    }
    let reach = 2 * Self.lookInterval(at: end - launch)
    guard end - start <= reach else { return nil }
    let near = [before.map { ($0, start - $0.time) }, after.map { ($0, $0.time - end) }].compactMap(\.self)
      .filter { $0.1 <= reach }
    return near.min { $0.1 < $1.1 }.map(\.0).flatMap { $0.isDisk ? $0 : nil }
  }

  /// A program that only waits for its children does so again and again, mostly for less than the time between two looks. For
  /// a pause without a look, this returns the look after it, if that and the one before found the same wait for a child.
  func childWait(around start: Int64, _ end: Int64) -> Look? {
    let next = looks.partitioningIndex { $0.time >= end }
    guard next > 0, next < looks.count, looks[next - 1].time < start else { return nil }
    let (before, after) = (looks[next - 1], looks[next])
    return SystemCall.isForEndOfChild(after.systemCall) && before.systemCall == after.systemCall ? after : nil
  }

  /// The file of a fault nearby. A thread that touches one page after another also waits for pages that are already
  /// being read, without a fault of its own.
  func faultPath(near time: Int64, launch: Int64) -> String? {
    let next = faults.partitioningIndex { $0.time >= time }
    let near = [next - 1, next].filter { faults.indices.contains($0) }
      .min { abs(faults[$0].time - time) < abs(faults[$1].time - time) }
    guard let near, abs(faults[near].time - time) <= 2 * Self.lookInterval(at: time - launch) else { return nil }
    return faults[near].path
  }

  /// The code on a stack then was the launcher's, or that of a program before.
  mutating func add(_ executions: [Execution]) {
    self.executions += executions
    for execution in executions { stacks.removeAll { execution.range.contains($0.time) } }
  }

  /// To execute a program, the kernel reads it. Looks and faults of what the program then does say nothing about that.
  func execution(at time: Int64) -> Execution? { executions.first { $0.range.contains(time) } }

  /// The stack with which a pause began. Times of two clocks may differ a little.
  func stack(at start: Int64) -> Int32? {
    let place = stacks.partitioningIndex { $0.time >= start - Self.clockError }
    return place < stacks.count && stacks[place].time <= start + Self.clockError ? stacks[place].row : nil
  }

  private static let clockError: Int64 = 10_000

  /// The fault that explains a pause.
  func fault(from start: Int64, to end: Int64) -> (time: Int64, path: String?)? {
    let place = faults.partitioningIndex { $0.time >= start }
    return place < faults.count && faults[place].time <= end + Self.faultReach ? faults[place] : nil
  }
}

extension WaitEvidence.Look {
  fileprivate init(
    _ systemCall: String, _ time: Int64, _ annotations: AnnotationRow, threads: ThreadNumbers, processID: Int32
  ) {
    self.time = time
    self.systemCall = systemCall
    path = annotations.string(LS_KEY_PATH)
    needsThread = annotations.bool(LS_KEY_TIMED) == false
    deadline = annotations.integer(LS_KEY_REMAINING_NS).flatMap { remaining in
      (0...3_600_000_000_000).contains(remaining) ? time + remaining : nil
    }
    timeout = annotations.integer(LS_KEY_TIMEOUT_NS).flatMap { (0...3_600_000_000_000).contains($0) ? $0 : nil }
    let owner = annotations.integer(LS_KEY_FUTEX_OWNER_TID)
    let isForThread = SystemCall.isForMemoryMap(systemCall) && threads.isThreaded(processID)
    let isDeep =
      annotations.string(LS_KEY_STATE) == "D" && !SystemCall.isForChild(systemCall) && !isForThread
    state = isDeep ? .blocked : SystemCall.state(systemCall, path: path, isOwned: owner != nil)
    if let owner {
      (culprit, link) = (threads.track(owner, of: processID), .owner)
    } else if let awaited = annotations.integer(LS_KEY_AWAITED_TID) {
      (culprit, link) = (
        threads.track(awaited, of: processID) ?? threads.track(awaited, of: Int32(clamping: awaited)), .awaited
      )
    }
    if culprit == nil { link = nil }
  }
}

/// Thread tracks by the kernel's thread IDs.
private struct ThreadNumbers {
  private struct Number: Hashable {
    var thread: Int64
    var process: Int32
  }

  private var tracks: [Number: Int32] = [:]
  private var counts: [Int32: Int] = [:]

  init(_ trace: Trace) {
    for (row, track) in trace.tracks.enumerated() where track.kind == .thread {
      counts[track.processID, default: 0] += 1
      let number = Number(thread: Int64(track.threadID), process: track.processID)
      if tracks[number] == nil { tracks[number] = Int32(truncatingIfNeeded: row) }
    }
  }

  func track(_ thread: Int64, of process: Int32) -> Int32? { tracks[Number(thread: thread, process: process)] }

  func isThreaded(_ process: Int32) -> Bool { counts[process] ?? 0 > 1 }
}
