// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// Waits for one launched program: passes signals on, stops and continues with it, and ends it at its time limit.
struct Supervision {
  private let launched: lo_launched
  private let request: LaunchRequest
  private var processID: Int32 { launched.pid }
  /// -1 after the program's end.
  private var pidfd: Int32 { ended == nil ? launched.pidfd : -1 }
  private let descendants: Descendants?
  private let orphans: Descendants?
  private let observation: LaunchObservation?
  /// CLOCK_MONOTONIC, ns.
  private var deadline: Int64?
  private(set) var interruption: Int32?
  private let watch: ReadyWatch?
  /// What showed that the program was ready, if it was ended because it kept running.
  private(set) var lingering: ReadySignal?
  private var ownEnd: OwnEndWait?
  private var isBackgroundTold = false
  /// The launcher was interrupted after the program itself had ended.
  private var isStopAsked = false
  /// How the program itself ended; nil while it runs.
  private var ended: lo_status?
  /// The program was ended because it was ready.
  private(set) var hasEndedProgram = false

  /// Without a time limit: how long background processes of a program may take to be ready, ns.
  private static let patience: Int64 = 30_000_000_000
  /// After this time, the launcher prints what it waits for, ns.
  private static let quietPatience: Int64 = 2_000_000_000

  /// - Parameters:
  ///   - descendants: to end them, or to wait for one that becomes ready; nil for neither.
  ///   - orphans: to collect their status; nil if another process gets it.
  init(
    launched: lo_launched, request: LaunchRequest, descendants: Descendants?, orphans: Descendants?, watch: ReadyWatch?,
    observation: LaunchObservation?
  ) {
    self.launched = launched
    self.request = request
    self.watch = watch
    if let settle = request.settle, let ask = request.ownEnd {
      ownEnd = OwnEndWait(ask, settle: settle, tell: request.awaitingOwnEnd)
    }
    self.descendants = descendants
    self.orphans = orphans
    self.observation = observation
    deadline = (request.timeout ?? request.longest).map { Self.sum(Int64(launched.exec_ns), $0) }
  }

  /// - Throws: `LaunchError` if another part of this process collected the program's exit status.
  mutating func waitForEnd(
    signals: borrowing SignalWatch, hasTerminal: Bool
  ) throws(LaunchError) -> (LaunchResult.Ending, lo_status) {
    while true {
      passOn(signals.arrivals())
      if ended == nil, try look(hasTerminal: hasTerminal) { continue }
      if ended == nil { orphans?.reapOrphans(besides: processID) }
      if let ended {
        let background = backgroundWait(after: ended)
        if background == .over { return (Self.ending(of: ended), stamped(ended)) }
        if background == .givenUp { return (Self.ending(of: ended), endAll(signals)) }
      }
      let now = Int64(lo_now())
      if let lingeringEnd, now >= lingeringEnd { lingering = watch?.lingers?.signal }
      if lingering != nil || deadline.map({ now >= $0 }) == true {
        var status = endAll(signals)
        // The launch ends at its time limit. The grace period is not part of it.
        status.exit_ns = UInt64(now)
        return (.timedOut, status)
      }
      if let endTime, now >= endTime, !isHeld {
        hasEndedProgram = true
        let status = endAll(signals)
        return (Self.ending(of: status), stamped(status))
      }
      sleep(signals)
    }
  }

  /// Checks what the program does. True if there may be more to handle at once.
  private mutating func look(hasTerminal: Bool) throws(LaunchError) -> Bool {
    if observation?.lookAtThreads() == true { return true }
    observation?.lookAtEnd()
    var status = lo_status()
    lo_poll_child(processID, &status)
    switch status.state {
    case LO_EXITED, LO_SIGNALLED: ended = status
    case LO_GONE:
      throw LaunchError(
        .cannotLaunch, path: "",
        message: status.code == 0
          ? "another part of this process collected the program's exit status"
          : "cannot wait for the program: \(systemMessage(status.code)); a container's seccomp profile may forbid wait4. The program goes on without launchprof",
        errno: status.code)
    case LO_STOPPED:
      // A stop that the observation caused. There may be more.
      if observation?.take(stop: status) == true { return true }
      if hasPassedSignal(of: status) { return true }
      observation?.paused(at: Int64(lo_now()))
      if hasTerminal { stopWithProgram(by: status.code) }
    default: break
    }
    return false
  }

  /// A program may have made the launcher its tracer (ptrace(2), PTRACE_TRACEME). Then every signal stops it, and it gets the
  /// signal from its tracer. SIGTRAP is how the kernel tells a tracer of execve(2).
  private func hasPassedSignal(of status: lo_status) -> Bool {
    let stops = [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU]
    return !stops.contains(status.code) && lo_trace_continue(processID, status.code == SIGTRAP ? 0 : status.code) == 0
  }

  private static func ending(of status: lo_status) -> LaunchResult.Ending {
    status.state == LO_EXITED ? .exited(status: status.code) : .signalled(signal: status.code)
  }

  /// A daemon becomes ready after the program has ended; the launch lasts until then.
  private func stamped(_ status: lo_status) -> lo_status {
    var status = status
    let exit = Int64(status.exit_ns)
    if let ready = watch?.awaitedSignal?.noLater(than: exit), ready.time > exit { status.exit_ns = lo_now() }
    return status
  }

  private static func sum(_ time: Int64, _ duration: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(duration)
    return overflow ? .max : sum
  }

  /// When to end a program that is ready; nil while it is not ready, or if it may continue.
  private var endTime: Int64? {
    guard let settle = request.settle, let ready = watch?.awaitedTime else { return nil }
    return ownEnd?.next ?? Self.sum(ready, settle)
  }

  /// When to end a program that keeps running without a rule; nil while it does not.
  private var lingeringEnd: Int64? {
    guard let limit = request.lingeringLimit, let lingers = watch?.lingers else { return nil }
    return Self.sum(lingers.time, limit)
  }

  /// True if the program has yet to say itself that its launch is over.
  private var isHeld: Bool {
    mutating get {
      guard let ready = watch?.awaitedTime else { return false }
      return ownEnd?.holds(launched.pid, hasEnded: ended != nil, since: ready) { Int64(lo_now()) } ?? false
    }
  }

  /// The program records itself, and did not say in time that its launch is over.
  var missedOwnEnd: Bool { ownEnd?.isMissed ?? false }

  /// Sleeps until an event, or until something is due.
  private func sleep(_ signals: borrowing SignalWatch) {
    // The watch's descriptor stays readable, so poll it only until the end of the launch is known.
    let mayLinger = request.lingeringLimit != nil && lingeringEnd == nil
    let isAwaited = endTime == nil && (request.settle != nil || ended != nil || mayLinger)
    let nextTime = [deadline, endTime, lingeringEnd, observation?.deadline, patienceEnd].compactMap(\.self).min()
    let descriptors: [Int32] = [signals.descriptor, pidfd, isAwaited ? watch?.awaited ?? -1 : -1]
    let events = sleep(descriptors + (observation?.descriptors ?? []), until: nextTime)
    observation?.wake(events: Array(events.dropFirst(descriptors.count)))
  }

  /// Sleeps until one of the descriptors is readable, or until `time`. Returns the poll(2) events of each.
  @discardableResult
  private func sleep(_ descriptors: [Int32], until time: Int64?) -> [Int16] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = lo_poll(&polled, UInt(polled.count), time.map { max(0, $0 - Int64(lo_now())) } ?? -1)
    return polled.map(\.revents)
  }

  private mutating func passOn(_ arrivals: [SignalWatch.Arrival]) {
    for arrival in arrivals {
      if arrival.isInterruption {
        interruption = arrival.signal
        isStopAsked = ended != nil
      }
      // One that came while the process was made may not have reached it. One more does no harm: the program has no handlers yet.
      let isOfGroup = arrival.isOfGroup && !isForLeader(arrival.signal)
      let hasReached = isOfGroup && arrival.time >= launched.begin_ns && isInOurGroup
      // After the program's end, its id may belong to another process.
      guard ended == nil, !hasReached else { continue }
      kill(processID, arrival.signal)
      // As the kernel does, so that a stopped program ends, too.
      if arrival.isOfGroup, arrival.signal == SIGHUP { kill(processID, SIGCONT) }
    }
  }

  /// A terminal that is closed tells only the leader of the session. The kernel tells the others when the leader ends, and
  /// that would be after the program.
  private func isForLeader(_ signal: Int32) -> Bool { signal == SIGHUP && getsid(0) == getpid() }

  /// False for a program that has left the launcher's process group: setsid(2), setpgid(2).
  private var isInOurGroup: Bool { getpgid(processID) == getpgrp() }

  /// The program stopped (Ctrl-Z). Now the launcher stops too, so that the shell sees its job stop. It must be in this
  /// order: a full-screen program restores the terminal first. A process that continues only the program also continues the launcher.
  /// The stopped time does not count against the time limit.
  private mutating func stopWithProgram(by signal: Int32) {
    let stopped = Int64(lo_now())
    lo_stop_with(processID, signal)
    deadline = deadline.map { Self.sum($0, Int64(lo_now()) - stopped) }
    // `fg` continues the whole group, `kill -CONT` only this process. Two SIGCONTs would make programs redraw twice.
    if Descendants.Process(id: processID)?.isStopped == true { kill(processID, SIGCONT) }
  }

  // MARK: The background

  private enum BackgroundWait { case goesOn, over, givenUp }

  /// Whether the launch continues after the program has ended, because it left a daemon running.
  private mutating func backgroundWait(after status: lo_status) -> BackgroundWait {
    guard status.state == LO_EXITED, status.code == 0, let descendants, let watch, watch.rule.followsBackground else {
      return .over
    }
    let left = descendants.reap()
    if left.isEmpty { return .over }
    if isStopAsked { return .givenUp }
    if interruption != nil { return .over }
    guard watch.awaitedTime == nil else {
      // If the daemon is not to be ended, it gets the same parent as without the launcher.
      if request.settle == nil { request.background?(.left(processIDs: left.sorted())) }
      return request.settle == nil ? .over : .goesOn
    }
    let waited = Int64(lo_now()) - Int64(status.exit_ns)
    if request.timeout == nil, waited >= Self.patience { return request.settle == nil ? .over : .givenUp }
    if !isBackgroundTold, waited >= Self.quietPatience {
      isBackgroundTold = true
      let limit = request.timeout != nil ? deadline.map { $0 - Int64(lo_now()) } : nil
      request.background?(.awaited(patience: limit ?? Self.patience - waited))
    }
    return .goesOn
  }

  /// When to check again whether the background takes too long; nil if the launcher does not wait for it.
  private var patienceEnd: Int64? {
    guard let ended, watch?.awaitedTime == nil, !isBackgroundTold || request.timeout == nil else { return nil }
    return Self.sum(Int64(ended.exit_ns), isBackgroundTold ? Self.patience : Self.quietPatience)
  }

  // MARK: The end

  /// Ends the program and everything that it started: SIGTERM, then SIGKILL after the grace period. Returns when all
  /// have ended.
  private mutating func endAll(_ signals: borrowing SignalWatch) -> lo_status {
    let killTime = Int64(lo_now()) + request.grace
    // A process that takes longer hangs in the kernel, and no signal helps.
    let giveUpTime = killTime + 5_000_000_000
    observation?.letGo(within: 1_000_000_000)
    sendAll(SIGTERM)
    sendAll(SIGCONT)
    var left = 1
    while Int64(lo_now()) < giveUpTime {
      passOn(signals.arrivals())
      lookForEnd()
      if ended != nil { descendants?.reap() }
      left = sendAll(Int64(lo_now()) >= killTime ? SIGKILL : 0)
      if left == 0, ended != nil { break }
      sleep([signals.descriptor, pidfd], until: Int64(lo_now()) + 5_000_000)
    }
    if left > 0 || ended == nil {
      let running = descendants?.ids ?? Set(Descendants.tree { $0.id == processID }.map(\.id))
      request.background?(.unended(processIDs: running.union(ended == nil ? [processID] : []).sorted()))
    } else if let reason = ProcessFiles.absence, descendants != nil, Descendants.areThereChildren {
      request.background?(.unseen(reason: reason))
    }
    var status = ended ?? lo_status()
    if status.exit_ns == 0 { status.exit_ns = lo_now() }
    return status
  }

  /// Whether the program, which is to end, has ended.
  private mutating func lookForEnd() {
    guard ended == nil else { return }
    // While it hung in the kernel, it could not be left.
    observation?.letGo(within: 0)
    var status = lo_status()
    lo_poll_child(processID, &status)
    switch status.state {
    case LO_EXITED, LO_SIGNALLED, LO_GONE: ended = status
    case LO_STOPPED: _ = observation?.take(stop: status)
    default: break
    }
  }

  /// Sends `signal` to the program and everything that it started: without a subreaper, not to orphans. Returns their number.
  @discardableResult
  private func sendAll(_ signal: Int32) -> Int {
    let count = descendants?.send(signal) ?? Descendants.send(signal, toTreeOf: processID)
    guard count == 0, ended == nil else { return count }
    // Where /proc does not show it, its id is still its own: its exit status was not collected.
    kill(processID, signal)
    return 1
  }
}
