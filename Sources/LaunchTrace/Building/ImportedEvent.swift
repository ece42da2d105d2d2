// SPDX-License-Identifier: Apache-2.0

/// A slice or an instant of a format whose events come in any order.
struct ImportedEvent {
  enum Kind {
    /// ns; `SliceTable.unfinished` for a slice that has no end.
    case slice(duration: Int64)
    case instant
  }

  var time: Int64
  var kind: Kind
  var track: TrackID
  var name: StringID
  var category: StringID = .empty
  var annotation: UInt32 = 0

  fileprivate var length: Int64 {
    switch kind {
    case .slice(let duration): duration < 0 ? .max : duration
    case .instant: -1
    }
  }
}

extension TraceBuilder {
  /// Adds events in the order of time; of those that begin together, the longest is the outermost.
  mutating func add(_ events: [ImportedEvent]) {
    let order = events.indices.sorted { left, right in
      (events[left].time, -events[left].length, left) < (events[right].time, -events[right].length, right)
    }
    for place in order {
      let event = events[place]
      switch event.kind {
      case .slice(let duration):
        begin(
          track: event.track, time: event.time, duration: duration, name: event.name, category: event.category,
          annotation: event.annotation)
      case .instant:
        instant(
          track: event.track, time: event.time, name: event.name, category: event.category,
          annotation: event.annotation)
      }
    }
  }
}
