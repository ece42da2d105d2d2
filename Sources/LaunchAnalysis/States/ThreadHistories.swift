internal import LaunchTrace

/// What the kernel and the observer saw of each thread; a thread's turns are put together when they are first asked for.
struct ThreadHistories {
  let trace: Trace
  private let bounds: Range<Int64>
  private let watched: Set<Int32>
  private let switches: RowsByTrack
  private let wakeups: RowsByTrack
  private let evidence: [Int32: WaitEvidence]
  private var known: [Int32: ThreadTurns] = [:]

  /// - Parameters:
  ///   - bounds: what of the trace is of interest, ns.
  ///   - watched: threads whose switches are there from the bounds' start on.
  init(_ trace: Trace, bounds: Range<Int64>, watched: Set<Int32>) {
    self.trace = trace
    self.bounds = bounds
    self.watched = watched
    switches = RowsByTrack(trace.switches.track, trackCount: trace.tracks.count)
    wakeups = RowsByTrack(trace.wakeups.track, trackCount: trace.tracks.count)
    evidence = WaitEvidence.all(trace)
  }

  func hasTurns(_ track: Int32) -> Bool { !switches[track].isEmpty }

  mutating func turns(of track: Int32) -> ThreadTurns {
    if let turns = known[track] { return turns }
    let turns = ThreadTurns(
      trace, rows: switches[track], wakeups: wakeups[track], bounds: bounds, isWatched: watched.contains(track))
    known[track] = turns
    return turns
  }

  /// What a thread waited for in a pause that it did not make because it had to, up to when it was ready to run.
  func wait(of track: Int32, in pause: ThreadTurns.Pause, from start: Int64, to end: Int64) -> Wait {
    let ready = min(max(pause.woken ?? end, start), end)
    var wait = Wait(start: start, end: ready, state: .sleeping, track: track)
    if let look = evidence[track]?.look(from: pause.start, to: pause.end) {
      wait.state = look.state
      wait.systemCall = look.systemCall
      wait.path = look.path
      (wait.culprit, wait.link) = (look.culprit, look.link)
    } else if let fault = evidence[track]?.fault(from: pause.start, to: pause.end) {
      wait.state = .blocked
      wait.systemCall = "page-fault"
      wait.path = fault.path
    } else if pause.waker >= 0, pause.kind == .sleeping {
      wait.state = .waiting
    }
    if pause.kind == .uninterruptible { wait.state = .blocked }
    guard pause.woken != nil, wait.state != .blocked else { return wait }
    // What the kernel saw goes before what memory said a little earlier.
    if pause.waker >= 0 {
      (wait.culprit, wait.link) = (pause.waker, .wakeup)
    } else if wait.culprit == nil {
      wait.link = .interrupt
    }
    return wait
  }
}
