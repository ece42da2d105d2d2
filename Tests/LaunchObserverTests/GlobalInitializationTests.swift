// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchObserver

/// Matches calls and returns of the code that initialises lazy globals.
struct GlobalInitializationTests {
  private static let core = RuntimeFunction.once.place(inFile: 0)
  private static let concurrency = RuntimeFunction.once.place(inFile: 1)

  private func call(_ time: Int64, thread: Int32 = 7, token: UInt64, copy: UInt64 = core) -> PerfEvents.Passage {
    var passage = done(time, thread: thread, copy: copy)
    (passage.isReturn, passage.arguments) = (false, (token, token + 0x1000, 0))
    passage.addresses = [0x10, 0x20, 0x30]
    return passage
  }

  private func done(_ time: Int64, thread: Int32 = 7, copy: UInt64 = core) -> PerfEvents.Passage {
    let place = PerfEvents.Occurrence(time: time, processID: 7, threadID: thread)
    return PerfEvents.Passage(place: place, function: copy, isReturn: true)
  }

  private func rows(_ passages: [PerfEvents.Passage]) -> [String] {
    GlobalInitializations(WatchedCalls(passages) { $0 == 7 }).all.map { row in
      "\(row.call.threadID) \(row.token) \(row.call.start)…\(row.call.end.map { "\($0)" } ?? "") \(row.isWait ? "wait" : "work")"
    }
  }

  @Test func whatIsInsideEndsFirst() {
    let passages = [
      call(10, token: 1), call(20, token: 2, copy: Self.concurrency), done(30, copy: Self.concurrency), done(40),
    ]
    #expect(rows(passages) == ["7 1 10…40 work", "7 2 20…30 work"])
    let first = GlobalInitializations(WatchedCalls(passages) { _ in true }).all[0]
    #expect(first.function == 0x1001 && first.call.callers == [0x20, 0x30] && first.call.callsInside == 1)
  }

  /// 30 ms outer, 30 ms inner. A thread that comes 10 ms late waits for 50 ms.
  @Test func whoComesLateWaits() {
    let passages = [
      call(0, token: 1), call(10, thread: 8, token: 1), call(30, token: 2), done(60), done(60),
      done(61, thread: 8), call(70, thread: 8, token: 1), done(71, thread: 8),
    ]
    #expect(rows(passages) == ["7 1 0…60 work", "8 1 10…61 wait", "7 2 30…60 work", "8 1 70…71 work"])
  }

  /// Launches that were cut off, and records for which the kernel had no room.
  @Test func whatIsMissingEndsWithWhatItIsIn() {
    #expect(rows([call(10, token: 1)]) == ["7 1 10… work"])
    #expect(rows([done(5), call(10, token: 1), done(20)]) == ["7 1 10…20 work"])
    let lost = [call(10, token: 1), call(20, token: 2, copy: Self.concurrency), done(40), call(50, token: 2), done(60)]
    #expect(rows(lost) == ["7 1 10…40 work", "7 2 20… work", "7 2 50…60 work"])
  }

  @Test func otherProcessesAreLeftOutAndTheCostIsThatOfOurOwn() {
    func own(_ time: Int64, isReturn: Bool, process: Int32 = getpid()) -> PerfEvents.Passage {
      let place = PerfEvents.Occurrence(time: time, processID: process, threadID: process)
      return PerfEvents.Passage(place: place, function: RuntimeProbes.calibration, isReturn: isReturn)
    }
    let times = [0, 600, 5_000, 5_500, 9_000, 9_900].enumerated().map { own(Int64($1), isReturn: $0 % 2 == 1) }
    let found = WatchedCalls(
      times + [
        own(9_950, isReturn: false, process: 1), own(9_990, isReturn: true, process: 1), call(10_000, token: 1),
      ]
    ) { _ in false }
    #expect(found.all.isEmpty && found.insideCost == 600)
  }
}
