// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

/// Events that wait, in runs.
@Suite struct DeferredEventsTests {
  private func sorted(_ events: [DeferredEvent], runLength: Int) -> [DeferredEvent] {
    var deferred = DeferredEvents(runLength: runLength)
    for event in events { deferred.append(event) }
    #expect(deferred.count == events.count)
    var sorted = deferred.sorted()
    var result: [DeferredEvent] = []
    while let event = sorted.next() { result.append(event) }
    return result
  }

  @Test func areSortedByTimeAndKeepTheirOrder() {
    let count = 5_007
    for times in [1, 3, 100, count] {
      let events = (0..<count).map {
        DeferredEvent(time: Int64($0 &* 7_919 % times), track: Int32($0), kind: .instant)
      }
      let expected = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }.map { Int32($0) }
      // One run that is not packed, one that is, and some whose times overlap, with a short one.
      for runLength in [count + 1, count, 1_000] {
        #expect(sorted(events, runLength: runLength).map(\.track) == expected)
      }
    }
    #expect(sorted([], runLength: 1).isEmpty)
  }

  @Test func keepAllTheirParts() throws {
    let kinds = (UInt8.min...UInt8.max).compactMap(DeferredEvent.Kind.init(rawValue:))
    #expect(kinds.count == 8)
    var events = kinds.map { DeferredEvent(time: .min, track: 0, kind: $0) }
    for number in [Int64.min, -2, 0, 1, 127, 128, .max] {
      let (half, word) = (Int32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number))
      events += kinds.map { kind in
        DeferredEvent(
          time: number, value: number, track: half, thread: half, name: word, category: word, annotation: word,
          kind: kind, phase: UInt8(truncatingIfNeeded: number))
      }
    }
    for (event, read) in zip(events, sorted(events, runLength: 10)) {
      #expect(String(describing: event) == String(describing: read))
    }
  }
}
