// SPDX-License-Identifier: Apache-2.0

/// What the main thread did at each instant of a launch, in columns. Rows follow each other without a gap, from the
/// launch's start to its end (or to fully drawn, if that comes later).
package struct StateTable: Sendable {
  /// Where each row starts, ns on the trace's clock; it ends where the next one starts.
  package private(set) var start: [Int64] = []
  package private(set) var state: [ThreadState] = []
  /// The thread of the row: the first one, or the one that ran the main actor then.
  package private(set) var track: [Int32] = []
  /// Row in `waits`, -1 for none.
  package private(set) var wait: [Int32] = []
  /// Where the last row ends.
  package private(set) var end: Int64
  /// All long waits, and the waits about which more than the time is known, by time.
  package internal(set) var waits: [Wait] = []
  /// Time by state before every `rowsPerSum`th row: a launch may ask for the totals of many overlapping ranges.
  private var sums: [StateTotals] = []

  private static let rowsPerSum = 64

  init(end: Int64) { self.end = end }

  package var count: Int { start.count }
  package func end(of row: Int) -> Int64 { row + 1 < count ? start[row + 1] : end }
  package func duration(of row: Int) -> Int64 { end(of: row) - start[row] }

  /// True if the trace gives the state of at least one instant.
  package var isKnown: Bool { state.contains { $0 != .unknown } }

  /// Time by state between two times. The sum is the part of that range within the table.
  package func totals(from lower: Int64, to upper: Int64) -> StateTotals {
    var totals = StateTotals()
    guard lower < upper, count > 0 else { return totals }
    let (before, after) = (self.totals(before: lower), self.totals(before: upper))
    for state in ThreadState.allCases { totals[state] = after[state] - before[state] }
    return totals
  }

  private func totals(before time: Int64) -> StateTotals {
    let place = row(at: time) / Self.rowsPerSum
    var totals = sums[place]
    forEachRow(from: start[place * Self.rowsPerSum], to: time) { row, start, end in totals[state[row]] += end - start }
    return totals
  }

  /// Visits the rows that overlap a range, each with the part inside the range.
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

  /// The row that contains `time`; the first row for an earlier time.
  package func row(at time: Int64) -> Int { max(0, start.partitioningIndex { $0 > time } - 1) }

  /// The waits that overlap a range.
  func waits(in range: Range<Int64>) -> ArraySlice<Wait> {
    let first = waits.partitioningIndex { $0.end > range.lowerBound }
    return waits[first..<max(first, waits.partitioningIndex { $0.start >= range.upperBound })]
  }

  // MARK: Building

  /// Adds a row, which ends where the next one starts. Leaves out an empty row. Joins rows that are alike.
  mutating func append(_ state: ThreadState, from start: Int64, to end: Int64, track: Int32, wait: Int32 = -1) {
    guard start < end else { return }
    if let last = self.state.last, last == state, self.track[count - 1] == track, self.wait[count - 1] == wait,
      wait < 0
    {
      return
    }
    if count % Self.rowsPerSum == 0 { sums.append(sums.isEmpty ? StateTotals() : totals(before: start)) }
    self.start.append(start)
    self.state.append(state)
    self.track.append(track)
    self.wait.append(wait)
  }
}

/// A time during which the main thread was off its processor and could not have run.
package struct Wait: Sendable, Equatable {
  /// How the trace shows who ended a wait.
  package enum Link: String, Sendable {
    /// The kernel recorded which thread woke this one.
    case wakeup
    /// The lock's memory named its owner.
    case owner
    /// The system call names what it waits for: a thread's end (pthread_join), a child's (wait4).
    case awaited
    /// The thread ran the most meanwhile: likely, not certain.
    case overlap
    /// The thread ran last before the wait ended: likely, not certain.
    case last
    /// The kernel recorded that a timer or a device ended the wait, not a thread.
    case interrupt
    /// The launch ended during the wait, and the thread recorded its end.
    case end
    /// The waiting thread did not exist yet. The kernel recorded which thread created it.
    case creation

    var isLikely: Bool { self == .overlap || self == .last }
  }

  /// ns on the trace's clock; the wait lasts until the thread was runnable.
  package var start: Int64
  package var end: Int64
  package var state: ThreadState
  /// The thread that waited: a row of `Trace.tracks`.
  package var track: Int32
  /// The system call that it waited in (`futex`, `read`); nil if the trace does not say.
  package var systemCall: String? = nil
  /// The call is that of the waits before and after. This one may have been in another: one that starts a child.
  var isCallInferred = false
  /// The file of the call, if there is one.
  package var path: String? = nil
  /// The thread that had what it waited for, and how that is known; nil if an interrupt ended the wait.
  package var culprit: Int32? = nil
  package var link: Link? = nil
  /// The trace says when the thread was runnable again. Otherwise `end` is when it had a processor.
  package var isEndRecorded = false
  /// Another thread ended it, if one ran meanwhile: a futex before its timeout (D268, D296), or the observer missed it (D269).
  var needsThread = false
  /// The thread had no part in the launch any more: see `Successors`.
  var isAfterMainThread = false

  package var duration: Int64 { end - start }
  var isForEvents: Bool { SystemCall.isForEvents(systemCall, path: path) }
  /// Whether the trace says nothing of what it was for.
  var isUnexplained: Bool { systemCall == nil && path == nil && culprit == nil }
}
