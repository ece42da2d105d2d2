// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTelemetry

/// Begin and end events are joined, also where several have the same time.
struct RecordedEventsTests {
  /// A trace of one thread.
  private struct WrittenTrace {
    private(set) var bytes: [UInt8] = []
    private static let thread: UInt64 = 7

    init() {
      // trace_packet_defaults.track_event_defaults.track_uuid
      packet(Self.number(10, 1) + Self.message(59, Self.message(11, Self.number(11, Self.thread))))
    }

    mutating func begin(_ name: String, at time: UInt64, track: UInt64? = nil) { event(1, name, time, track) }
    mutating func end(at time: UInt64, track: UInt64? = nil) { event(2, "", time, track) }

    private mutating func event(_ type: UInt64, _ name: String, _ time: UInt64, _ track: UInt64?) {
      var event =
        Self.number(9, type) + Self.message(23, Array(name.utf8)) + Self.message(22, Array("launchprof.phase".utf8))
      if let track { event += Self.number(11, track) }
      packet(Self.number(8, time) + Self.number(10, 1) + Self.message(11, event))
    }

    private mutating func packet(_ content: [UInt8]) { bytes += Self.message(1, content) }

    private static func varint(_ value: UInt64) -> [UInt8] {
      value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
    private static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }
    private static func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
      varint(field << 3 | 2) + varint(UInt64(content.count)) + content
    }
  }

  private func slices(_ write: (inout WrittenTrace) -> Void) -> [String] {
    var trace = WrittenTrace()
    write(&trace)
    let events = RecordedEvents(trace.bytes)
    return events.slices.map { "\($0.name) \($0.start) \($0.end)" } + events.openSlices.map { "\($0.name) open" }
  }

  @Test func anIntervalMayEndWhenItBegins() {
    let found = slices { trace in
      trace.begin("outer", at: 10)
      trace.begin("short", at: 20)
      trace.end(at: 20)
      trace.begin("next", at: 20)
      trace.end(at: 25)
      trace.end(at: 30)
    }
    #expect(found == ["outer 10 30", "next 20 25", "short 20 20"])
  }

  @Test func anAsyncIntervalMayEndWhenItBegins() {
    let found = slices { trace in
      trace.begin("short", at: 20, track: 8)
      trace.end(at: 20, track: 8)
      trace.begin("next", at: 20, track: 8)
      trace.end(at: 25, track: 8)
    }
    #expect(found == ["next 20 25", "short 20 20"])
  }

  /// Another thread ends an interval, and its chunk comes later in the file.
  @Test func anAsyncTrackIsOrderedByTime() {
    let found = slices { trace in
      trace.begin("first", at: 10, track: 8)
      trace.begin("second", at: 20, track: 8)
      trace.end(at: 30, track: 8)
      trace.end(at: 20, track: 8)
      trace.begin("late", at: 31, track: 8)
    }
    #expect(found == ["first 10 20", "second 20 30", "late open"])
  }

  @Test func anEndWithoutABeginIsLeftOut() {
    let found = slices { trace in
      trace.end(at: 20)
      trace.begin("open", at: 20)
      trace.end(at: 20, track: 8)
      trace.begin("later", at: 21, track: 8)
    }
    #expect(found.sorted() == ["later open", "open open"])
  }

  /// The clocks of two processors may differ. A time that runs backwards is none.
  @Test func anEndBeforeItsBeginIsAtTheBegin() {
    let found = slices { trace in
      trace.begin("back", at: 20)
      trace.end(at: 19)
    }
    #expect(found == ["back 20 20"])
  }

  /// As in reports. A record had the key `phase.`, which says nothing.
  @Test func whatHasNoNameIsCalledThat() {
    let found = slices { trace in
      trace.begin("", at: 20)
      trace.end(at: 30)
      trace.begin("", at: 40, track: 8)
    }
    #expect(found == ["(no name) 20 30", "(no name) open"])
  }
}
