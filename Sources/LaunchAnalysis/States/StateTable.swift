/// What the main thread did at each instant of a launch, as columns: rows follow each other with no gap, from the
/// launch's start to its end (fully drawn, when that comes later).
package struct StateTable: Sendable {
  /// Where each row starts, ns on the trace's clock; it ends where the next one starts.
  package private(set) var start: [Int64] = []
  package internal(set) var state: [ThreadState] = []
  /// The thread that is meant: the first one, or the one that ran the main actor then.
  package private(set) var track: [Int32] = []
  /// Row in `waits`, -1 for none.
  package internal(set) var wait: [Int32] = []
  /// Where the last row ends.
  package private(set) var end: Int64
  /// The waits of which more is known than their time, and all that took long, by time.
  package internal(set) var waits: [Wait] = []

  init(end: Int64) { self.end = end }

  package var count: Int { start.count }
  package func end(of row: Int) -> Int64 { row + 1 < count ? start[row + 1] : end }
  package func duration(of row: Int) -> Int64 { end(of: row) - start[row] }

  /// True when the trace says something of at least one instant.
  package var isKnown: Bool { state.contains { $0 != .unknown } }

  /// Time by state between two times; they add up to what of it lies in the table.
  package func totals(from lower: Int64, to upper: Int64) -> StateTotals {
    var totals = StateTotals()
    forEachRow(from: lower, to: upper) { row, start, end in totals[state[row]] += end - start }
    return totals
  }

  /// Visits the rows that a range touches, with the part of each that lies in it.
  package func forEachRow(
    from lower: Int64, to upper: Int64, _ body: (_ row: Int, _ start: Int64, _ end: Int64) -> Void
  ) {
    var row = self.row(at: lower)
    while row < count, start[row] < upper {
      let (first, last) = (max(start[row], lower), min(end(of: row), upper))
      if first < last { body(row, first, last) }
      row += 1
    }
  }

  /// The row that holds `time`; the first one for an earlier time.
  package func row(at time: Int64) -> Int {
    let next = start.firstPlace(notBefore: time)
    return next < count && start[next] == time ? next : max(0, next - 1)
  }

  // MARK: Building

  /// Adds a row that ends where the next one starts; one with no time is left out, like ones are joined.
  mutating func append(_ state: ThreadState, from start: Int64, to end: Int64, track: Int32, wait: Int32 = -1) {
    guard start < end else { return }
    if let last = self.state.last, last == state, self.track[count - 1] == track, self.wait[count - 1] == wait,
      wait < 0
    {
      return
    }
    self.start.append(start)
    self.state.append(state)
    self.track.append(track)
    self.wait.append(wait)
  }
}

/// One time that the main thread was off its processor and could not have run.
package struct Wait: Sendable, Equatable {
  /// How it is known who ended a wait.
  package enum Link: String, Sendable {
    /// The kernel recorded who made the thread ready.
    case wakeup
    /// The lock's memory named its owner.
    case owner
    /// The system call names whose end it waits for: a thread (pthread_join), a child (wait4).
    case awaited
    /// It ran the most in the meantime: likely, not certain.
    case overlap
    /// The kernel recorded that no thread ended it, but a timer or a device.
    case interrupt
  }

  /// ns on the trace's clock; up to when it was ready to run.
  package var start: Int64
  package var end: Int64
  package var state: ThreadState
  /// The thread that waited: a row of `Trace.tracks`.
  package var track: Int32
  /// The system call that it waited in (`futex`, `read`); nil if the trace does not say.
  package var systemCall: String? = nil
  /// The file behind it, if there is one.
  package var path: String? = nil
  /// The thread that had what it waited for, and how that is known; no thread when an interrupt ended it.
  package var culprit: Int32? = nil
  package var link: Link? = nil

  package var duration: Int64 { end - start }
}
