// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Which stacks of threads that left their processors are kept.
struct LongWaitsTests {
  private func place(_ thread: Int32, _ time: Int64) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: time, processID: 7, threadID: thread)
  }

  private func out(_ thread: Int32, _ time: Int64, isPreempted: Bool = false) -> PerfEvents.Switch {
    .init(place: place(thread, time), isOut: true, isPreempted: isPreempted)
  }

  private func `in`(_ thread: Int32, _ time: Int64) -> PerfEvents.Switch {
    .init(place: place(thread, time), isOut: false, isPreempted: false)
  }

  /// Times of the stacks that are kept, of stacks that the kernel took 1 µs before each thread left its processor.
  private func kept(_ switches: [PerfEvents.Switch]) -> [Int64] {
    let stacks = switches.filter(\.isOut).map { change in
      PerfEvents.Sample(place: place(change.place.threadID, change.place.time - 1_000), addresses: [1], copy: nil)
    }
    return LongWaits(switches).stacks(stacks).map(\.place.time)
  }

  @Test func theyHaveTheTimeOfTheirWait() {
    #expect(kept([out(7, 10_000), `in`(7, 1_000_000)]) == [10_000])
    #expect(kept([out(7, 10_000)]) == [10_000])
  }

  @Test func shortWaitsAndPreemptionsAreLeftOut() {
    #expect(kept([out(7, 10_000), `in`(7, 110_000), out(7, 200_000), `in`(7, 900_000)]) == [200_000])
    #expect(kept([out(7, 10_000, isPreempted: true), `in`(7, 1_000_000)]) == [])
  }

  @Test func threadsHaveTheirOwnWaits() {
    #expect(kept([out(7, 10_000), out(8, 20_000), `in`(8, 50_000), `in`(7, 1_000_000)]) == [10_000])
  }

  /// The kernel had no room for the switch, or for the stack.
  @Test func whatIsMissingIsLeftOut() {
    let stack = PerfEvents.Sample(place: place(7, 50_000), addresses: [1], copy: nil)
    #expect(LongWaits([out(7, 10_000), `in`(7, 1_000_000)]).stacks([stack]).isEmpty)
    #expect(LongWaits([]).stacks([stack]).isEmpty)
  }
}
