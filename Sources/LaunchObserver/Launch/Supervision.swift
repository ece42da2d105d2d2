internal import CLaunchObserver
import Glibc

/// Waits for one launched program: passes signals on, stops and continues with it, ends it when its time is up.
struct Supervision {
  private let processID: Int32
  private let pidfd: Int32
  private let grace: Int64
  private let descendants: Descendants?
  private let observation: LaunchObservation?
  /// CLOCK_MONOTONIC, ns.
  private var deadline: Int64?
  private(set) var interruption: Int32?
  private let watch: ReadyWatch?
  private let settle: Int64?
  /// The program was ended because it was ready.
  private(set) var hasEndedProgram = false

  init(
    launched: lo_launched, request: LaunchRequest, descendants: Descendants?, watch: ReadyWatch?,
    observation: LaunchObservation?
  ) {
    processID = launched.pid
    pidfd = launched.pidfd
    grace = request.grace
    self.watch = watch
    settle = request.settle
    self.descendants = descendants
    self.observation = observation
    deadline = request.timeout.map { Int64(launched.exec_ns).addingReportingOverflow($0) }
      .map { $0.overflow ? .max : $0.partialValue }
  }

  /// - Throws: `LaunchError` when the program's end was reported to somebody else in this process.
  mutating func waitForEnd(
    signals: borrowing SignalWatch, hasTerminal: Bool
  ) throws(LaunchError) -> (LaunchResult.Ending, lo_status) {
    while true {
      passOn(signals.arrivals())
      var status = lo_status()
      lo_poll_child(processID, &status)
      switch status.state {
      case LO_EXITED: return (.exited(status: status.code), status)
      case LO_SIGNALLED: return (.signalled(signal: status.code), status)
      case LO_GONE:
        throw LaunchError(
          .cannotLaunch, path: "", message: "how the program ended was reported to another waiter in this process")
      case LO_STOPPED:
        // One of ours; there may be more.
        if observation?.take(stop: status) == true { continue }
        if hasTerminal { stopWithProgram(by: status.code) }
      default: break
      }
      let now = Int64(lo_now())
      if let deadline, now >= deadline { return (.timedOut, endAll(signals)) }
      if let endTime, now >= endTime {
        hasEndedProgram = true
        let status = endAll(signals)
        return (status.state == LO_EXITED ? .exited(status: status.code) : .signalled(signal: status.code), status)
      }
      // The watch's stays readable: asked for until it is known when the program ends.
      let awaited = settle != nil && endTime == nil ? watch?.awaited ?? -1 : -1
      let nextTime = [deadline, endTime, observation?.deadline].compactMap(\.self).min()
      let events = sleep([signals.descriptor, pidfd, awaited] + (observation?.descriptors ?? []), until: nextTime)
      observation?.wake(events: Array(events.dropFirst(3)))
    }
  }

  /// When a program that is ready is to be ended; nil as long as it is not, or may go on.
  private var endTime: Int64? {
    guard let settle, let ready = watch?.awaitedTime else { return nil }
    let (sum, overflow) = ready.addingReportingOverflow(settle)
    return overflow ? .max : sum
  }

  /// Until one of the descriptors is readable or it is `time`. Returns what poll(2) says of each.
  @discardableResult
  private func sleep(_ descriptors: [Int32], until time: Int64?) -> [Int16] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = lo_poll(&polled, UInt(polled.count), time.map { max(0, $0 - Int64(lo_now())) } ?? -1)
    return polled.map(\.revents)
  }

  private mutating func passOn(_ arrivals: [SignalWatch.Arrival]) {
    for arrival in arrivals {
      if arrival.isInterruption { interruption = arrival.signal }
      if !arrival.reachedProgram { kill(processID, arrival.signal) }
    }
  }

  /// The program stopped (Ctrl-Z): the shell must see its job stop, and only then, since a full-screen program puts
  /// the terminal in order first. The time until somebody continues us does not count against the time-out.
  private mutating func stopWithProgram(by signal: Int32) {
    let stopped = Int64(lo_now())
    lo_stop_by(signal)
    deadline = deadline.map { $0.addingReportingOverflow(Int64(lo_now()) - stopped) }
      .map { $0.overflow ? .max : $0.partialValue }
    // `fg` continues the whole group; `kill -CONT` only us. A second SIGCONT would make programs redraw twice.
    if Descendants.Process(id: processID)?.isStopped == true { kill(processID, SIGCONT) }
  }

  /// Ends the program and everything that it started: SIGTERM, then SIGKILL after the grace. Returns when all is gone.
  private mutating func endAll(_ signals: borrowing SignalWatch) -> lo_status {
    let killTime = Int64(lo_now()) + grace
    // Longer than that, a process hangs in the kernel and no signal helps.
    let giveUpTime = killTime + 5_000_000_000
    var final: lo_status?
    observation?.letGo()
    descendants?.send(SIGTERM)
    descendants?.send(SIGCONT)
    while Int64(lo_now()) < giveUpTime {
      passOn(signals.arrivals())
      if final == nil {
        var status = lo_status()
        lo_poll_child(processID, &status)
        if status.state == LO_EXITED || status.state == LO_SIGNALLED || status.state == LO_GONE { final = status }
      }
      if final != nil { descendants?.reap() }
      let left = descendants?.send(Int64(lo_now()) >= killTime ? SIGKILL : 0) ?? 0
      if left == 0, final != nil { break }
      sleep([signals.descriptor, pidfd], until: Int64(lo_now()) + 5_000_000)
    }
    var status = final ?? lo_status()
    if status.exit_ns == 0 { status.exit_ns = lo_now() }
    return status
  }
}
