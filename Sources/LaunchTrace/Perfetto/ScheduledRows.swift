// SPDX-License-Identifier: Apache-2.0

/// The switches and wake-ups of a trace, which have ids of threads where their tracks belong. An id may be that of one
/// thread after the other, so that the track depends on the events before.
struct ScheduledRows {
  private var switches: Rows
  private var wakeups: Rows

  /// Rows of a table in the order of time.
  private struct Rows {
    /// Nil if the table has this order.
    let order: [Int32]?
    let count: Int
    var place = 0

    init(_ times: [Int64]) { (order, count) = (LaunchTrace.order(of: times), times.count) }

    var next: Int? { place < count ? order.map { Int($0[place]) } ?? place : nil }
  }

  init(_ trace: Trace) { (switches, wakeups) = (Rows(trace.switches.time), Rows(trace.wakeups.time)) }

  private func next(_ trace: Trace) -> (time: Int64, row: Int, isWakeup: Bool)? {
    let switched = switches.next.map { (time: trace.switches.time[$0], row: $0, isWakeup: false) }
    let woken = wakeups.next.map { (time: trace.wakeups.time[$0], row: $0, isWakeup: true) }
    guard let switched, let woken else { return switched ?? woken }
    return woken.time < switched.time ? woken : switched
  }

  /// Finds the tracks of the rows before an event; without one, of the rest.
  mutating func findThreads(before event: DeferredEvent?, _ builder: inout TraceBuilder) {
    while let next = next(builder.trace) {
      if let event {
        let isBefore = !next.isWakeup && next.row < event.rowsBefore
        if next.time > event.time || next.time == event.time && !isBefore { return }
      }
      if next.isWakeup {
        wakeups.place += 1
        let (thread, waker) = (builder.trace.wakeups.track[next.row], builder.trace.wakeups.waker[next.row])
        builder.trace.wakeups.track[next.row] = builder.thread(thread).rawValue
        builder.trace.wakeups.waker[next.row] = waker == 0 ? -1 : builder.thread(waker).rawValue
      } else {
        switches.place += 1
        builder.trace.switches.track[next.row] = builder.thread(builder.trace.switches.track[next.row]).rawValue
      }
    }
  }

  /// Brings the tables into the order of time.
  func sort(_ trace: inout Trace) {
    if let order = switches.order { trace.switches.keep(order) }
    if let order = wakeups.order { trace.wakeups.keep(order) }
  }
}

extension DeferredEvent {
  /// How many rows of switches come before an event of the kernel in the file.
  fileprivate var rowsBefore: Int {
    switch kind {
    case .begin, .end, .instant, .slice: 0
    case .atrace, .threadName, .threadStart, .threadEnd: Int(annotation)
    }
  }
}
