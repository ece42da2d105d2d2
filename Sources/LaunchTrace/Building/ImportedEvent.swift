// SPDX-License-Identifier: Apache-2.0

/// An event of a format whose events come in any order.
struct ImportedEvent {
  enum Kind {
    case begin, end, instant
    /// A slice as a whole.
    case slice
  }

  var time: Int64
  /// The duration of a slice, ns; `SliceTable.unfinished` if it has no end.
  var duration = SliceTable.unfinished
  var track: TrackID
  /// The thread that wrote an event of another track.
  var thread: TrackID?
  var kind: Kind
  var name: StringID
  var category: StringID
  var annotation: UInt32
}

extension TraceBuilder {
  /// Adds events in the order of time. Of slices that follow each other and begin together, the longest is the outermost.
  ///
  /// - Parameter unit: of times that were all rounded down, ns.
  mutating func add(_ events: [ImportedEvent], roundedTo unit: Int64 = 0) {
    // The sum of a rounded time and a rounded duration ends up to two units early, and so before what is in it.
    endTolerance = unit
    let rows = order(of: events.map(\.time))
    func row(_ place: Int) -> Int { rows.map { Int($0[place]) } ?? place }
    var place = 0
    while place < events.count {
      let first = events[row(place)]
      var end = place + 1
      if first.kind == .slice {
        while end < events.count, events[row(end)].time == first.time, events[row(end)].kind == .slice { end += 1 }
      }
      if end == place + 1 {
        add(first)
      } else {
        func length(_ row: Int) -> Int64 { events[row].duration < 0 ? .max : events[row].duration }
        for row in (place..<end).map(row).sorted(by: { (-length($0), $0) < (-length($1), $1) }) { add(events[row]) }
      }
      place = end
    }
  }

  private mutating func add(_ event: ImportedEvent) {
    switch event.kind {
    case .begin, .slice:
      begin(
        track: event.track, time: event.time, duration: event.duration, name: event.name, category: event.category,
        thread: event.thread, annotation: event.annotation)
    case .end:
      end(
        track: event.track, time: event.time, name: event.name, category: event.category, thread: event.thread,
        annotation: event.annotation)
    case .instant:
      instant(
        track: event.track, time: event.time, name: event.name, category: event.category,
        annotation: event.annotation)
    }
  }
}
