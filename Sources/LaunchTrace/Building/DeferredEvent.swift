// SPDX-License-Identifier: Apache-2.0

/// An event that is put into the trace when all are known and sorted by time.
struct DeferredEvent {
  /// At most eight: `EventRun` packs it into three bits.
  enum Kind: UInt8 {
    case begin, end, instant
    /// A slice as a whole, of a format whose slices come in any order.
    case slice
    // Events of ftrace: `track` is the thread's id, `thread` the process's, for which the tracks are found when it is its
    // turn. `annotation` is the number of rows of switches that the file has before it.
    case atrace, threadName, threadStart, threadEnd
  }

  var time: Int64
  /// A slice's duration in ns, or a cookie.
  var value: Int64 = SliceTable.unfinished
  var track: Int32
  /// The thread that an async slice begins or ends on.
  var thread: Int32 = -1
  var name: UInt32 = 0
  var category: UInt32 = 0
  var annotation: UInt32 = 0
  var kind: Kind
  /// The letter of an atrace event.
  var phase: UInt8 = 0
}

extension DeferredEvent {
  @inline(__always)
  init(
    _ kind: Kind, _ time: Int64, duration: Int64 = SliceTable.unfinished, _ track: TrackID, thread: TrackID?,
    name: StringID, category: StringID, annotation: UInt32
  ) {
    self.init(
      time: time, value: duration, track: track.rawValue, thread: thread?.rawValue ?? -1, name: name.rawValue,
      category: category.rawValue, annotation: annotation, kind: kind)
  }
}

extension TraceBuilder {
  /// Adds events in the order of time. Of slices that follow each other and begin together, the longest is the outermost.
  ///
  /// - Parameter unit: of times that were all rounded down, ns.
  mutating func add(_ events: [DeferredEvent], roundedTo unit: Int64 = 0) {
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
        func length(_ row: Int) -> Int64 { events[row].value < 0 ? .max : events[row].value }
        for row in (place..<end).map(row).sorted(by: { (-length($0), $0) < (-length($1), $1) }) { add(events[row]) }
      }
      place = end
    }
  }

  /// Adds a slice, its beginning, its end, or an instant. Events of ftrace are for their reader.
  @inline(__always)
  mutating func add(_ event: DeferredEvent) {
    let (track, name) = (TrackID(rawValue: event.track), StringID(rawValue: event.name))
    let category = StringID(rawValue: event.category)
    let thread = event.thread < 0 ? nil : TrackID(rawValue: event.thread)
    switch event.kind {
    case .end:
      end(
        track: track, time: event.time, name: name, category: category, thread: thread, annotation: event.annotation)
    case .instant:
      instant(track: track, time: event.time, name: name, category: category, annotation: event.annotation)
    default:
      begin(
        track: track, time: event.time, duration: event.value, name: name, category: category, thread: thread,
        annotation: event.annotation)
    }
  }
}
