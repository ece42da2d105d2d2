// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Process 7, whose first thread ends at 10 ms, and whose thread 8 ends at 20 ms.
struct ProcessEndsTests {
  private func place(_ thread: Int32, _ microseconds: Int64) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: microseconds * 1_000, processID: 7, threadID: thread)
  }

  /// - Parameter turns: when thread 8 got a processor, and lost it, µs: an open turn lasts until its end.
  private func end(turns: [(Int64, Int64?)], isPreempted: Bool = false) -> Int64? {
    var events = PerfEvents(PerfLog())
    for (start, end) in turns {
      events.switches.append(.init(place: place(8, start), isOut: false, isPreempted: false))
      if let end { events.switches.append(.init(place: place(8, end), isOut: true, isPreempted: isPreempted)) }
    }
    events.threads = [(7, 10_000), (8, 20_000)].map { .init(place: place($0, $1), parentProcessID: 1, isEnd: true) }
    return ProcessEnds(events).end(of: 7).map { $0 / 1_000 }
  }

  /// gron called exit_group(2) at 7 ms. Its other threads got a processor at 13 ms, and the launch seemed to last until then.
  @Test func threadsThatOnlyEndDoNothingMore() {
    #expect(end(turns: [(2_000, 3_000), (19_900, nil)]) == 10_000)
    #expect(end(turns: [(2_000, 10_050), (19_900, nil)], isPreempted: true) == 10_000)
  }

  /// Its `main` called pthread_exit(3).
  @Test func aThreadThatGoesOnEndsTheProcess() {
    #expect(end(turns: [(2_000, 3_000), (15_000, 15_100), (19_900, nil)]) == 20_000, "it waited again")
    #expect(end(turns: [(2_000, 3_000), (18_500, nil)]) == 20_000, "it ran for 1.5 ms")
  }

  @Test func nothingIsKnownOfAThreadWithoutTurnsOrOfAnotherProcess() {
    #expect(end(turns: []) == 20_000)
    #expect(ProcessEnds(PerfEvents(PerfLog())).end(of: 7) == nil)
  }
}
