// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Look-ups of Swift's runtime: the first of each, and how often it was looked up again.
struct FirstLookupTests {
  private func call(
    _ function: RuntimeFunction, from start: Int64, to end: Int64, _ first: UInt64, _ second: UInt64,
    process: Int32 = 7
  ) -> [PerfEvents.Passage] {
    let isShifted = function.subject((0, 1, 2)).first == 1
    return [(start, false), (end, true)].map { time, isReturn in
      var passage = PerfEvents.Passage(
        place: PerfEvents.Occurrence(time: time, processID: process, threadID: process),
        function: function.place(inFile: 3), isReturn: isReturn)
      passage.arguments = isShifted ? (0, first, second) : (first, second, 0)
      passage.addresses = [0x10, 0x20]
      return passage
    }
  }

  private func lookups(_ passages: [PerfEvents.Passage]) -> FirstLookups {
    FirstLookups(WatchedCalls(passages.sorted { $0.place.time < $1.place.time }) { _ in true })
  }

  @Test func aPairIsLookedUpOnceForTheFirstTime() {
    let found = lookups(
      call(.conformance, from: 10, to: 20, 1, 2) + call(.conformance, from: 30, to: 31, 1, 2)
        + call(.conformance, from: 40, to: 50, 1, 3) + call(.conformance, from: 60, to: 62, 1, 2))
    #expect(found.all.map(\.subject) == [.conformance(type: 1, protocol: 2), .conformance(type: 1, protocol: 3)])
    #expect(found.all.map(\.repeats) == [2, 0] && found.all[0].call.callers == [0x20])
    #expect(found.conformances.calls == 4 && found.conformances.repeatTime == 3 && found.typeNames.calls == 0)
  }

  /// Each process has types of its own.
  @Test func processesAndKindsAreApart() {
    let found = lookups(
      call(.conformance, from: 10, to: 20, 1, 2) + call(.conformance, from: 30, to: 40, 1, 2, process: 8)
        + call(.typeName, from: 50, to: 90, 1, 2) + call(.conformance, from: 60, to: 70, 9, 2)
        + call(.once, from: 61, to: 65, 5, 6))
    #expect(found.all.map(\.call.start) == [10, 30, 50, 60] && found.all.allSatisfy { $0.repeats == 0 })
    #expect(found.typeNames.calls == 1 && found.all[2].subject == .typeName(1, length: 2))
    // Also those that are no look-ups cost their probes.
    #expect(found.all[2].call.callsInside == 2 && found.all[3].call.callsInside == 1)
  }

  @Test func placesTellFunctionsAndFilesApart() {
    for function in RuntimeFunction.allCases {
      #expect(RuntimeFunction(place: function.place(inFile: 40)) == function)
    }
    let places = RuntimeFunction.allCases.flatMap { function in (0..<3).map(function.place) }
    #expect(Set(places).count == places.count && RuntimeFunction(place: RuntimeProbes.calibration) == nil)
  }
}
