// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What the kernel and the observer recorded about each thread. A thread's turns are built on the first request.
final class ThreadHistories: Sendable {
  let trace: Trace
  let isWatched: Bool
  /// The part of the launch that was observed: recording ends when its records fill the memory that they may have.
  private let bounds: Range<Int64>
  /// Threads whose switches are recorded from the start of the bounds on.
  private let watched: Set<Int32>
  /// The scheduler reported the kind of every wait.
  private let isExact: Bool
  /// A wake-up without a waker is an estimate, from how long the thread waited for a processor. Who ended the wait is not known.
  private let estimatesWakeups: Bool
  private let switches: RowsByTrack
  private let wakeups: RowsByTrack
  private let evidence: [Int32: WaitEvidence]
  private let owner: CodeOwner
  private let made: [Int32: MadeOnce<ThreadTurns>]
  private let ends = MadeOnce<[Int32: Int64]>()
  /// When each process ended, and its first thread.
  private let endsInOrder = MadeOnce<[(time: Int64, track: Int32)]>()

  init(_ context: AnalysisContext) {
    trace = context.trace
    isWatched = context.isWatched
    let until = isWatched ? context.facts.launcher?.observation?.until : nil
    let start = context.bounds.lowerBound
    bounds = start..<max(start, min(context.bounds.upperBound, until ?? .max))
    isExact = context.isExact
    estimatesWakeups = context.facts.launcher?.observation?.waitStates == .looks
    watched = isWatched ? Set(context.mainPath.segments.map(\.track)) : []
    switches = RowsByTrack(trace.switches.track, trackCount: trace.tracks.count)
    wakeups = RowsByTrack(trace.wakeups.track, trackCount: trace.tracks.count)
    var evidence = WaitEvidence.all(trace)
    let main = context.launch.main
    if main >= 0 { evidence[main, default: WaitEvidence()].add(context.launch.executions) }
    self.evidence = evidence
    owner = CodeOwner(program: context.executable)
    made = Dictionary(uniqueKeysWithValues: Set(trace.switches.track).map { ($0, MadeOnce()) })
  }

  func hasTurns(_ track: Int32) -> Bool { !switches[track].isEmpty }

  /// Where a thread called what it waits in at a time; nil if the trace does not say.
  func place(of track: Int32, at time: Int64) -> WaitPlace? {
    stack(of: track, at: time).map { WaitPlace(trace, stack: $0, owner: owner) }
  }

  /// The stack of a wait, a row of `Trace.stacks`; nil if the trace does not have it.
  func stack(of track: Int32, at time: Int64) -> Int32? {
    guard let evidence = evidence[track], !evidence.stacks.isEmpty else { return nil }
    let turns = turns(of: track)
    let row = turns.firstPause(endingAfter: time)
    guard row < turns.pauses.count, turns.pauses[row].start <= time else { return nil }
    return evidence.stack(at: turns.pauses[row].start)
  }

  /// A wait whose stack is known.
  struct StackedWait {
    var start: Int64
    var end: Int64
    /// A row of `Trace.stacks`.
    var stack: Int32
    var track: Int32
  }

  /// The waits of some threads whose stacks are known, by time.
  func stackedWaits(of tracks: Set<Int32>) -> [StackedWait] {
    var waits: [StackedWait] = []
    for track in tracks {
      guard let evidence = evidence[track], !evidence.stacks.isEmpty else { continue }
      for pause in turns(of: track).pauses {
        guard let stack = evidence.stack(at: pause.start) else { continue }
        waits.append(StackedWait(start: pause.start, end: pause.end, stack: stack, track: track))
      }
    }
    return waits.sorted { ($0.start, $0.track) < ($1.start, $1.track) }
  }

  func turns(of track: Int32) -> ThreadTurns {
    func make() -> ThreadTurns {
      ThreadTurns(
        trace, rows: switches[track], wakeups: wakeups[track], bounds: bounds, isWatched: watched.contains(track))
    }
    return made[track]?.value(make) ?? make()
  }

  /// The turns of a thread until its end, which may be after the launch.
  func life(of track: Int32) -> ThreadTurns {
    let end = max(bounds.upperBound, trace.switches.time.last ?? bounds.upperBound)
    return ThreadTurns(
      trace, rows: switches[track], wakeups: [], bounds: bounds.lowerBound..<end, isWatched: watched.contains(track))
  }

  /// Whether a thread's process ended with it. The first thread may end earlier (`pthread_exit`). Threads that its end stops
  /// run a little longer.
  func endsProcess(_ track: Int32) -> Bool {
    guard let exit = life(of: track).exit else { return false }
    let process = trace.tracks[Int(track)].processID
    return made.keys.allSatisfy {
      $0 == track || trace.tracks[Int($0)].processID != process
        || life(of: $0).running(from: exit, to: .max) < Self.lastRun
    }
  }

  private static let lastRun: Int64 = 1_000_000

  /// Whether a thread's process surely waited for the end of child processes: their looks or stacks say so, or the children are
  /// in the trace.
  func waitedForChildren(of track: Int32) -> Bool {
    let process = trace.tracks[Int(track)].processID
    if made.keys.contains(where: { trace.tracks[Int($0)].processID != process }) { return true }
    return evidence.contains { thread, evidence in
      guard trace.tracks[Int(thread)].processID == process else { return false }
      return evidence.looks.contains { SystemCall.isForEndOfChild($0.systemCall) }
        || evidence.stacks.contains {
          call(inStack: $0.row, evidence).map { SystemCall.isForEndOfChild($0.call) } ?? false
        }
    }
  }

  /// Visits what a thread did in a range in which that is known: stretches in their order, without a gap. Some are empty.
  func forEachStretch(
    of track: Int32, in known: Range<Int64>,
    _ body: (_ state: ThreadState, _ start: Int64, _ end: Int64, _ wait: Wait?) -> Void
  ) {
    var cursor = known.lowerBound
    for pause in turns(of: track).pauses(in: known) {
      let (start, end) = (max(pause.start, cursor), min(pause.end, known.upperBound))
      body(.running, cursor, start, nil)
      let wait = pause.isWait ? wait(of: track, in: pause, from: start, to: end) : nil
      if let wait {
        let parts = wait.link == .owner ? evidence[track]?.parts(of: wait, in: pause.start) : nil
        for part in parts ?? [wait] { body(part.state, part.start, part.end, part) }
      }
      body(pause.kind == .stopped ? .stopped : .runnable, wait?.end ?? start, end, nil)
      cursor = end
    }
    body(.running, cursor, known.upperBound, nil)
  }

  /// The state in which a thread passed more than half of a time, if it did not run, with the system call of its longest such
  /// wait; nil also if the trace does not say.
  func pause(of track: Int32, in range: Range<Int64>) -> (state: ThreadState, wait: Wait?)? {
    var times: [ThreadState: Int64] = [:]
    var longest: [ThreadState: Wait] = [:]
    forEachStretch(of: track, in: turns(of: track).known.clamped(to: range)) { state, start, end, wait in
      times[state, default: 0] += end - start
      if let wait, longest[state].map({ $0.end - $0.start < wait.end - wait.start }) ?? true { longest[state] = wait }
    }
    guard let (state, time) = times.max(by: { $0.value < $1.value }), state != .running,
      time * 2 > range.upperBound - range.lowerBound
    else { return nil }
    return (state, longest[state])
  }

  /// What a thread waited for in a voluntary pause, up to when it was runnable.
  private func wait(of track: Int32, in pause: ThreadTurns.Pause, from start: Int64, to end: Int64) -> Wait {
    let ready = min(max(pause.woken ?? end, start), end)
    var wait = Wait(start: start, end: ready, state: .sleeping, track: track)
    let recorded = recordedWakeup(pause)
    wait.isEndRecorded = recorded != nil
    if pause.waker >= 0 { wait.state = .waiting }
    if let evidence = evidence[track] { explain(&wait, pause, by: evidence) }
    if recorded == nil {
      nameChild(in: &wait, pause)
      if let end = endOfAwaited(wait), end > start { wait.end = min(end, ready) }
    }
    if endedUnseen(pause, wait) { wait.needsThread = true }
    if pause.kind == .uninterruptible {
      if !isForOthers(pause, of: track, wait) {
        wait.state = .blocked
        return wait
      }
      wait.state = .waiting
    }
    // What wakes a thread after the launch says nothing about the launch: the first thread of an `async` main waits until a
    // signal ends the program.
    guard let woken = recorded, woken <= end, wait.state != .blocked else { return wait }
    // The kernel's record is better than what memory said a little earlier.
    if pause.waker >= 0 {
      (wait.culprit, wait.link) = (pause.waker, .wakeup)
    } else if wait.culprit == nil {
      wait.link = .interrupt
    }
    return wait
  }

  private func recordedWakeup(_ pause: ThreadTurns.Pause) -> Int64? {
    estimatesWakeups && pause.waker < 0 ? nil : pause.woken
  }

  /// When the thread or process ended whose end a wait was for. Its end wakes the waiting thread, which may then wait for
  /// a processor.
  private func endOfAwaited(_ wait: Wait) -> Int64? {
    guard wait.link == .awaited, let culprit = wait.culprit, hasTurns(culprit) else { return nil }
    let process = trace.tracks[Int(culprit)].processID
    let isOfOther = process != trace.tracks[Int(wait.track)].processID
    return isOfOther ? ends.value(endsOfProcesses)[process] : turns(of: culprit).exit
  }

  /// Names the child for whose end a thread waited, if the call is for any child, as that of a shell: the one that ended last
  /// before the wait did. Foundation's `waitUntilExit` waits for events. Recorded children are all in the trace.
  private func nameChild(in wait: inout Wait, _ pause: ThreadTurns.Pause) {
    guard isWatched, wait.culprit == nil, let call = wait.systemCall else { return }
    let isForEvents = wait.isForEvents && !SystemCall.isForSignals(call)
    guard isForEvents || SystemCall.isForEndOfChild(call) else { return }
    let earliest = isForEvents ? max(pause.start, wait.end - Self.childReach) : pause.start
    let process = trace.tracks[Int(wait.track)].processID
    let ends = endsInOrder.value {
      let ends = self.ends.value(endsOfProcesses)
      return made.keys.compactMap { track in
        let (thread, process) = (trace.tracks[Int(track)].threadID, trace.tracks[Int(track)].processID)
        return thread == process ? ends[process].map { (time: $0, track: track) } : nil
      }
      .sorted { $0 < $1 }
    }
    let place = ends.partitioningIndex { $0.time > pause.end } - 1
    guard place >= 0, trace.tracks[Int(ends[place].track)].processID != process, ends[place].time >= earliest else {
      return
    }
    if isForEvents {
      let isAlone = place == 0 || ends[place - 1].time < earliest
      guard isAlone, mayBeAwaited(ends[place].track, by: process, in: wait) else { return }
    }
    (wait.culprit, wait.link) = (ends[place].track, .awaited)
  }

  /// Whether a wait for events may be one for the end of a process: it lasted for most of the wait, and no other process
  /// created it. A launch may run many processes, and one of them ends in most milliseconds.
  private func mayBeAwaited(_ child: Int32, by process: Int32, in wait: Wait) -> Bool {
    let turns = turns(of: child)
    if let creator = turns.creation?.creator, trace.tracks[Int(creator)].processID != process { return false }
    return turns.firstRecord.map { $0 <= wait.start + (wait.end - wait.start) / 2 } ?? false
  }

  /// How long before a wait for events a child ends that ends it, ns.
  private static let childReach: Int64 = 1_000_000

  /// When the last thread of each process ended, by process; without those that did not end.
  private func endsOfProcesses() -> [Int32: Int64] {
    var (ends, alive) = ([Int32: Int64](), Set<Int32>())
    for track in made.keys {
      let process = trace.tracks[Int(track)].processID
      if let exit = turns(of: track).exit {
        ends[process] = max(ends[process] ?? exit, exit)
      } else {
        alive.insert(process)
      }
    }
    return ends.filter { !alive.contains($0.key) }
  }

  /// The wait ended before the observer could look at it. A thread of the launch that ran meanwhile probably ended it
  /// (D269).
  private func endedUnseen(_ pause: ThreadTurns.Pause, _ wait: Wait) -> Bool {
    isWatched && recordedWakeup(pause) == nil && pause.end < bounds.upperBound && wait.state == .sleeping
      && wait.systemCall == nil
  }

  private func explain(_ wait: inout Wait, _ pause: ThreadTurns.Pause, by evidence: WaitEvidence) {
    // If the scheduler reported the kind of the wait, evidence does not change it.
    let isOpen = pause.kind == .uninterruptible || !isExact
    if let execution = evidence.execution(at: pause.start) {
      (wait.systemCall, wait.path) = (SystemCall.execution, execution.path)
      if isOpen { wait.state = .blocked }
    } else if let look = evidence.look(from: pause.start, to: pause.end) {
      wait.explain(by: look)
      // The program slept (D388).
      if look.isTimer(of: pause) { (wait.state, wait.path) = (.sleeping, SystemCall.timer) }
      // The main thread's waits keep the time that D268 gives them.
      let isFutex = look.systemCall == "futex" && !watched.contains(wait.track)
      if isFutex, let deadline = look.deadline, pause.end < deadline { wait.needsThread = true }
    } else if isOpen, let fault = evidence.fault(from: pause.start, to: pause.end) {
      (wait.state, wait.systemCall, wait.path) = (.blocked, SystemCall.pageFault, fault.path)
    } else if isOpen, let look = evidence.burst(around: pause.start, pause.end, launch: bounds.lowerBound) {
      wait.explain(by: look)
    }
    // Most waits are too short for a look.
    if wait.systemCall == nil, let known = evidence.stack(at: pause.start).flatMap({ call(inStack: $0, evidence) }) {
      (wait.systemCall, wait.state, wait.needsThread) = (known.call, known.state, known.call == "futex")
    }
    if wait.systemCall == nil, isOpen, pause.kind == .sleeping, pause.waker < 0,
      let look = evidence.childWait(around: pause.start, pause.end)
    {
      (wait.state, wait.systemCall, wait.isCallInferred) = (look.state, look.systemCall, true)
    }
    if wait.systemCall == SystemCall.pageFault, wait.path == nil {
      wait.path = evidence.faultPath(near: pause.end, launch: bounds.lowerBound)
    }
    // A file that a thread feeds is not a disk: a file system in user space, a FIFO.
    if pause.kind == .sleeping, pause.waker >= 0, wait.state == .blocked { wait.state = .waiting }
  }

  /// The system call in which a wait began, by its stack.
  ///
  /// - Parameter stack: a row of `Trace.stacks`.
  private func call(inStack stack: Int32, _ evidence: WaitEvidence) -> (call: String, state: ThreadState)? {
    var depth = 0
    for row in trace.stacks.caller.chain(from: Int(stack)) {
      if depth == Self.callDepth { break }
      let name = trace.name(ofFrame: row)
      if !SystemCall.isEntry(name) { depth += 1 }
      if let known = SystemCall.waiting(
        in: name, readsOnlyFiles: evidence.readsOnlyFiles, opensOnlyFIFOs: evidence.opensOnlyFIFOs)
      {
        return known
      }
    }
    return nil
  }

  /// The function that makes the call is the innermost, or called by a helper of the C library.
  private static let callDepth = 2

  /// A disk wakes a thread by an interrupt, or by a thread of the kernel. If a thread of the launch ends an
  /// uninterruptible wait, the wait was for that thread: a child that has to execute its program, or another one that
  /// changes the memory map.
  private func isForOthers(_ pause: ThreadTurns.Pause, of track: Int32, _ wait: Wait) -> Bool {
    if let call = wait.systemCall, SystemCall.isForChild(call) { return true }
    if SystemCall.isForMemoryMap(wait.systemCall), wait.state == .waiting { return true }
    guard pause.waker >= 0 else { return false }
    return isWatched || trace.tracks[Int(pause.waker)].processID == trace.tracks[Int(track)].processID
  }
}

extension Wait {
  fileprivate mutating func explain(by look: WaitEvidence.Look) {
    (state, systemCall, path) = (look.state, look.systemCall, look.path)
    (culprit, link, needsThread) = (look.culprit, look.link, look.needsThread)
  }
}
