// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchObserver

/// When a thread was ready to run, from how long it had waited for a processor at each look.
struct QueueTimesTests {
  private let millisecond: Int64 = 1_000_000

  /// Its pauses, ms, and how long it had waited for a processor at some times, ms.
  private func wakings(
    _ pauses: [(out: Int64, back: Int64, isPreempted: Bool)], _ looks: [(time: Int64, queued: Int64)]
  ) -> [String] {
    let switches = pauses.flatMap { pause in
      [(pause.out, true), (pause.back, false)].map { time, isOut in
        PerfEvents.Switch(
          place: .init(time: time * millisecond, processID: 7, threadID: 7, processor: 2), isOut: isOut,
          isPreempted: isOut && pause.isPreempted)
      }
    }
    let known = looks.map { QueueTimes.Look(time: $0.time * millisecond, queued: $0.queued * millisecond) }
    return QueueTimes.wakings(known, switches, of: 7).map {
      "\($0.woken) \($0.place.time / millisecond) on \($0.place.processor) by \($0.place.threadID)"
    }
  }

  /// The kernel counts the time when it ends, so a look during the wait does not have it.
  @Test func aWaitEndsWhenTheThreadIsReady() {
    #expect(wakings([(10, 60, false)], [(0, 3), (40, 3), (100, 33)]) == ["7 30 on 2 by 0"])
  }

  @Test func timeAfterAPreemptionIsKnown() {
    #expect(wakings([(10, 20, true)], [(0, 0), (50, 10)]).isEmpty)
    #expect(wakings([(10, 20, true), (30, 40, false)], [(0, 0), (50, 14)]) == ["7 36 on 2 by 0"])
  }

  /// It is not known which of them lasted so long.
  @Test func severalWaitsShareTheTime() {
    #expect(
      wakings([(10, 20, false), (30, 50, false)], [(0, 0), (60, 15)]) == ["7 15 on 2 by 0", "7 40 on 2 by 0"])
  }

  @Test func aWaitIsNoLongerThanItsPause() {
    #expect(wakings([(10, 20, false)], [(0, 0), (60, 25)]) == ["7 10 on 2 by 0"])
  }

  @Test func withoutSuchTimeNothingIsKnown() {
    #expect(wakings([(10, 20, false)], [(0, 5), (60, 5)]).isEmpty && wakings([(10, 20, false)], []).isEmpty)
    #expect(wakings([], [(0, 0), (60, 5)]).isEmpty)
  }

  /// Where nothing changes, the first and the last look are enough.
  @Test func looksAtThisProcess() throws {
    var times = try #require(QueueTimes(thread: getpid(), of: getpid()))
    defer { times.end() }
    for time in 1...100 as ClosedRange<Int64> { times.look(at: .max - 100 + time) }
    #expect(times.looks.count >= 2 && times.looks.last?.time == .max)
    let queued = times.looks.map(\.queued)
    #expect(queued == queued.sorted() && Set(queued).count * 2 >= queued.count)
  }
}
