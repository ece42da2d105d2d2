// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

@testable import LaunchObserver

/// Who made threads runnable.
struct ThreadWakingsTests {
  private func start(_ thread: Int32, of process: Int32, by creator: Int32, at time: Int64) -> PerfEvents.Thread {
    let place = PerfEvents.Occurrence(time: time, processID: process, threadID: thread, processor: 1)
    return PerfEvents.Thread(place: place, parentProcessID: process, creator: creator, isEnd: false)
  }

  /// A new thread is runnable from its creation on. Threads of other programs have no part in that, such as the launcher,
  /// which created the process.
  @Test func aCreationIsAWaking() {
    var events = PerfEvents(PerfLog())
    events.threads = [start(7, of: 7, by: 2, at: 10), start(8, of: 7, by: 7, at: 20), start(9, of: 7, by: 8, at: 30)]
    events.threads.append(
      PerfEvents.Thread(place: events.threads[2].place, parentProcessID: 7, creator: 7, isEnd: true))
    let wakings = ThreadWakings(events, ProcessHistory(events), boot: 1000) { $0 == 7 }
    #expect(
      wakings.byProcessor == [
        1: [
          SchedulingWaking(time: 1020, thread: 8, waker: 7), SchedulingWaking(time: 1030, thread: 9, waker: 8),
        ]
      ])
    #expect(wakings.strangers.isEmpty)
  }

  /// The scheduler's wakings and the creations are in the order of time.
  @Test func creationsAreBetweenOtherWakings() {
    var events = PerfEvents(PerfLog())
    events.threads = [start(7, of: 7, by: 0, at: 10), start(8, of: 7, by: 7, at: 2_000)]
    let place = PerfEvents.Occurrence(time: 5_000, processID: 7, threadID: 8, processor: 1)
    events.wakings = [.init(place: place, woken: 7, isInterrupt: false)]
    let wakings = ThreadWakings(events, ProcessHistory(events), boot: 0) { $0 == 7 }
    #expect(wakings.byProcessor[1]?.map(\.time) == [2_000, 5_000])
  }
}
