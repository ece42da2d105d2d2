// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

@testable import LaunchObserver

/// When a launched process ended, and when its launch did.
struct ProcessEndTests {
  private func end(_ process: Int32, _ thread: Int32, _ time: Int64, isEnd: Bool = true) -> PerfEvents.Thread {
    PerfEvents.Thread(
      place: PerfEvents.Occurrence(time: time, processID: process, threadID: thread), parentProcessID: 1, isEnd: isEnd)
  }

  @Test func aProcessEndsWithItsLastThread() {
    var events = PerfEvents(PerfLog())
    #expect(events.end(of: 7) == nil)
    events.threads = [end(7, 8, 10, isEnd: false), end(7, 7, 20), end(7, 8, 30), end(9, 9, 40)]
    #expect(events.end(of: 7) == 30)
    #expect(events.end(of: 9) == 40)
  }

  /// The record of the last thread may be one of those that are lost.
  @Test func lostRecordsMayContainTheEnd() {
    var events = PerfEvents(PerfLog())
    events.threads = [end(7, 7, 20)]
    events.lost = 1
    #expect(events.end(of: 7) == nil)
  }

  private func result(exit: Int64, signals: [Int64] = []) -> LaunchResult {
    var result = LaunchResult(
      processID: 7, path: "/app", execTime: 100, exitTime: exit, ending: .exited(status: 0))
    result.ready = ReadyOutcome(
      following: .output, signals: signals.map { ReadySignal(kind: .output, time: $0) }, endedWell: true)
    return result
  }

  @Test func theLaunchEndsWhenTheProcessDidNotWhenItWasReaped() {
    var late = result(exit: 900, signals: [200])
    late.end(at: 500)
    #expect(late.exitTime == 500)
    // A launch that ran out of time ended before the process did.
    var early = result(exit: 400)
    early.end(at: 500)
    #expect(early.exitTime == 400)
  }

  /// A daemon becomes ready after the program that started it has ended.
  @Test func aLaunchMayLastLongerThanItsProcess() {
    var daemon = result(exit: 900, signals: [200, 600])
    daemon.end(at: 500)
    #expect(daemon.exitTime == 900)
  }
}
