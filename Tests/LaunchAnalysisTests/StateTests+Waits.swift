// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// What waits of one kind are: for a lock, for a child, for a time.
extension StateTests {
  /// Three threads held it, one after the other. The wait was the first one's, which had long ended.
  @Test func aWaitForALockIsForEachOfItsOwners() {
    var launch = launch()
    let owners = [4720, 4721, 4722].map { launch.thread($0, name: "owner") }
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    for (time, owner) in [(12, 4720), (30, 4720), (40, 4721), (70, 4722), (80, 4722)] as [(Int64, Int32)] {
      launch.look("futex", at: time * millisecond, owner: owner)
    }
    let waits = LaunchTimeline(trace: launch.trace()).states.waits
    #expect(waits.map(\.culprit) == owners.map(\.rawValue))
    #expect(waits.map { $0.duration / millisecond } == [30, 30, 20], "\(waits)")
    #expect(waits.allSatisfy { $0.link == .owner && $0.state == .lock })
    let rows = rows(launch).filter { !$0.hasPrefix("running") }
    #expect(rows == ["lock 10000 40000", "lock 40000 70000", "lock 70000 90000"])
  }

  /// Each part was shorter than an interval may be, so a wait of 60 ms was no finding any more.
  @Test func aWaitForManyBriefOwnersIsOne() {
    var launch = launch()
    for owner in 0..<5 as Range<Int32> {
      _ = launch.thread(4720 + owner, name: "owner")
      launch.look("futex", at: Int64(11 + 12 * owner) * millisecond, owner: 4720 + owner)
    }
    launch.pause(from: 10 * millisecond, to: 70 * millisecond)
    #expect(LaunchTimeline(trace: launch.trace()).states.waits.map(\.duration) == [60 * millisecond])
  }

  /// The kernel recorded who let the thread go on, so looks do not count.
  @Test func aRecordedWakeUpSaysWhoHadTheLock() {
    var launch = launch()
    let owners = [4720, 4721].map { launch.thread($0, name: "owner") }
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("futex", at: 12 * millisecond, owner: 4720)
    launch.look("futex", at: 40 * millisecond, owner: 4721)
    launch.wakeup(at: 90 * millisecond, by: owners[1])
    let waits = LaunchTimeline(trace: launch.trace()).states.waits
    #expect(waits.map(\.culprit) == [owners[1].rawValue] && waits.first?.link == .wakeup)
  }

  /// strace waits for its child 1,500 times, mostly for less than the time between two looks. It seemed to sleep.
  @Test(arguments: [("wait4", "waiting"), ("poll", "sleeping")]) func aShortWaitAmongWaitsForAChildIsOneToo(
    next: String, state: String
  ) {
    var launch = launch()
    for start in [10, 30, 50] as [Int64] { launch.pause(from: start * millisecond, to: (start + 5) * millisecond) }
    launch.look("wait4", at: 12 * millisecond)
    launch.look(next, at: 52 * millisecond)
    let row = rows(launch).first { $0.hasSuffix(" 30000 35000") }
    #expect(row == "\(state) 30000 35000", "\(rows(launch))")
  }

  /// `select` without descriptors, and a timer: a fixed time, and no events.
  @Test(arguments: [("poll", "timeout"), ("pselect6", "timeout"), ("read", "anon_inode:[timerfd]")])
  func aCallThatWaitsForATimeIsASleep(call: String, path: String) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look(call, at: 20 * millisecond, path: path)
    #expect(rows(launch) == ["running 0 10000", "sleeping 10000 60000", "running 60000 100000"])
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.advice.hasPrefix("The program slept"))
    let kind = path == "timeout" ? path : "timerfd"
    #expect(finding.subject == "\(call) (\(kind))")
  }
}
