// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// The thread that the main thread waited for, the one that this thread waited for, and so on.
struct CriticalPathTests {
  private let millisecond: Int64 = 1_000_000

  private func launch() -> SampleLaunch { SampleLaunch(exit: 100 * millisecond, isInstrumented: false) }

  /// The main thread waits from 10 to 50 ms, `middle` waits from 12 to 40 ms, and `last` runs meanwhile.
  private func chained(_ change: (inout SampleLaunch, TrackID, TrackID) -> Void) -> LaunchTimeline {
    var launch = launch()
    let middle = launch.thread(4720, name: "middle")
    let last = launch.thread(4721, name: "last")
    launch.turn(from: 5 * millisecond, to: 12 * millisecond, on: middle)
    launch.turn(from: 11 * millisecond, to: 41 * millisecond, on: last, cpu: 2)
    launch.interval("rebuild index", from: 11 * millisecond, to: 41 * millisecond, on: last)
    launch.pause(from: 10 * millisecond, to: 50 * millisecond)
    launch.turn(from: 40 * millisecond, to: 60 * millisecond, on: middle)
    change(&launch, middle, last)
    return LaunchTimeline(trace: launch.trace())
  }

  /// A step is a range of time for what reads it.
  @Test func aStepEndsAfterTheOneBeforeIt() {
    var steps = CriticalPath.Steps()
    for (start, end) in [(10, 20), (20, 15), (15, 18), (20, 20), (18, 30)] as [(Int64, Int64)] {
      steps.append(.init(start: start, end: end, track: Int32(end), state: .running, link: nil, depth: 0))
    }
    #expect(steps.map { [$0.start, $0.end] } == [[10, 20], [20, 30]])
  }

  /// The first thread of an `async` main waits until a signal ends the program. Who sent the signal had no part in the launch.
  @Test func whatWakesAThreadAfterTheLaunchIsNotItsCause() {
    for woken in [90, 150] as [Int64] {
      var launch = SampleLaunch(preinit: 1000)
      launch.mark("ready", at: 100 * millisecond)
      launch.launcher(exit: 200 * millisecond)
      _ = launch.builder.process(99, name: "kill")
      let other = launch.builder.thread(99, ofProcess: 99, name: "kill")
      launch.turn(from: (woken - 1) * millisecond, to: woken * millisecond, on: other)
      launch.pause(from: 10 * millisecond, to: woken * millisecond)
      launch.wakeup(at: woken * millisecond, by: other)
      let timeline = LaunchTimeline(trace: launch.trace())
      let isWithin = woken < 100
      #expect(pathSteps(timeline).contains { $0.hasPrefix("kill ") } == isWithin, "\(pathSteps(timeline))")
      #expect((timeline.waitCauses(.waiting).first?.chain.isEmpty ?? true) == !isWithin)
    }
  }

  @Test func wakeupsAreFollowed() {
    let timeline = chained { launch, middle, last in
      launch.wakeup(at: 40 * millisecond, of: middle, by: last)
      launch.wakeup(at: 50 * millisecond, by: middle)
    }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "middle running 10 12 1 wakeup", "last running 12 40 2 wakeup",
        "middle running 40 50 1 wakeup", "notes-server running 50 100 0",
      ])
    let chain = timeline.waitCauses(.waiting).first?.chain ?? []
    #expect(chain.map { timeline.trace.title(ofTrack: $0.track, isMain: false) } == ["middle (4720)", "last (4721)"])
    #expect(chain.map(\.link) == [.wakeup, .wakeup])
    #expect(chain.map(\.time) == [40 * millisecond, 28 * millisecond])
    #expect(chain.map(\.activity) == [nil, "rebuild index"])
    let finding = timeline.findings.first { $0.id == FindingName.mainThreadWaiting }
    #expect(finding?.subject == "middle (4720)")
    #expect(finding?.advice == "It waited for middle (4720), which waited for last (4721). Start with last (4721).")
    let threads = finding?.evidence.filter { $0.kind == .thread } ?? []
    #expect(
      threads == [
        Evidence(.thread, "middle (4720) ended the wait", time: 40 * millisecond),
        Evidence(.thread, "last (4721) ended the wait of middle (4720), in rebuild index", time: 28 * millisecond),
      ])
  }

  /// The end of a child ends the wait for it. Then the main thread waits for a processor. A shell waits for any child.
  @Test(arguments: [false, true], [5000, nil] as [Int32?])
  func aWaitForAChildEndsWithIt(hasOtherThread: Bool, awaited: Int32?) {
    var launch = launch()
    let child = launch.builder.thread(5000, ofProcess: 5000, name: "cc1")
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("wait4", at: 30 * millisecond, awaited: awaited)
    launch.switched(.init(.switchedIn, at: 10 * millisecond, on: child, cpu: 1))
    launch.switched(.init(.exited, at: 60 * millisecond, on: child, cpu: 1))
    if hasOtherThread {
      let other = launch.builder.thread(5001, ofProcess: 5000, name: "worker")
      launch.turn(from: 20 * millisecond, to: 80 * millisecond, on: other, cpu: 2)
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    let totals = timeline.states.totals(from: timeline.start, to: timeline.end)
    #expect(totals[.runnable] == (hasOtherThread ? 0 : 30 * millisecond))
    let path = timeline.criticalPath.times[child.rawValue]?.total
    #expect(hasOtherThread || path == 50 * millisecond, "\(pathSteps(timeline))")
  }

  @Test func locksAndEndsAreFollowed() {
    let timeline = chained { launch, middle, last in
      launch.look("futex", at: 15 * millisecond, awaited: 4720)
      launch.look("futex", at: 15 * millisecond, owner: 4721, on: middle)
    }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "middle running 10 12 1 awaited", "last running 12 40 2 owner",
        "middle running 40 50 1 awaited", "notes-server running 50 100 0",
      ])
    #expect(timeline.waitCauses(.waiting).first?.chain.map(\.link) == [.awaited, .owner])
    let rows = timeline.breakdown(by: .thread).rows
    #expect(rows.first { $0.name == "last (4721)" }?.critical == 28 * millisecond)
    #expect(rows.first { $0.name == "last (4721)" }?.likely == 0)
    #expect(rows.reduce(0) { $0 + ($1.critical ?? 0) } == timeline.total)
  }

  /// Before its wait for the lock, a thread waited too shortly for a look.
  @Test func theLongestWaitSaysHowOneThreadHeldUpAnother() {
    let timeline = chained { launch, middle, _ in
      launch.turn(from: 12_100_000, to: 12_200_000, on: middle)
      launch.look("futex", at: 15 * millisecond, awaited: 4720)
      launch.look("futex", at: 15 * millisecond, owner: 4721, on: middle)
    }
    let chain = timeline.waitCauses(.waiting).first?.chain ?? []
    #expect(chain.map(\.link) == [.awaited, .owner])
    #expect(chain.last?.time == 27_900_000)
  }

  @Test func whatIsLikelyOnlyIsSaidSo() {
    let timeline = chained { launch, _, _ in launch.look("futex", at: 15 * millisecond, awaited: 4720) }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "middle running 10 12 1 awaited", "last running 12 40 2 overlap",
        "middle running 40 50 1 awaited", "notes-server running 50 100 0",
      ])
    #expect(timeline.breakdown(by: .thread).rows.first { $0.name == "last (4721)" }?.likely == 28 * millisecond)
  }

  /// The main thread waits from 10 to 50 ms for a condition. `worker` runs from 12 to 20 ms, and nothing runs after that.
  private func starved(isTimed: Bool?, awaited: Int32? = nil) -> LaunchTimeline {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 50 * millisecond)
    launch.look("futex", at: 15 * millisecond, awaited: awaited, isTimed: isTimed)
    launch.turn(from: 12 * millisecond, to: 20 * millisecond, on: worker)
    return LaunchTimeline(trace: launch.trace())
  }

  /// Only `worker` can have ended the wait, and only while it had a processor.
  @Test(arguments: [nil, 4720] as [Int32?]) func aWokenThreadWithoutAProcessorIsRunnable(awaited: Int32?) {
    let link = awaited == nil ? "last" : "awaited"
    #expect(
      pathSteps(starved(isTimed: false, awaited: awaited)) == [
        "notes-server running 0 10 0", "worker runnable 10 12 1 \(link)", "worker running 12 20 1 \(link)",
        "notes-server runnable 20 50 0", "notes-server running 50 100 0",
      ])
  }

  /// A timer may have ended it; or the trace is older and does not say.
  @Test(arguments: [true, nil]) func aTimerNeedsNoProcessor(isTimed: Bool?) {
    #expect(
      pathSteps(starved(isTimed: isTimed)) == [
        "notes-server running 0 10 0", "notes-server waiting 10 50 0", "notes-server running 50 100 0",
      ])
  }

  /// The main thread waits from 10 to 13 ms, too short a time for a look, and `worker` runs meanwhile if at all.
  private func unseen(_ turn: Range<Int64>?) -> LaunchTimeline {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.turn(from: 2 * millisecond, to: 3 * millisecond, on: worker)
    launch.pause(from: 10 * millisecond, to: 13 * millisecond)
    if let turn { launch.turn(from: turn.lowerBound, to: turn.upperBound, on: worker) }
    return LaunchTimeline(trace: launch.trace())
  }

  /// It was probably a wait for the thread that ran meanwhile, and for a processor after that.
  @Test func aMissedWaitEndsWithTheOtherThread() {
    #expect(
      pathSteps(unseen(11 * millisecond..<12 * millisecond)) == [
        "notes-server running 0 10 0", "worker sleeping 10 11 1 last", "worker running 11 12 1 last",
        "notes-server runnable 12 13 0", "notes-server running 13 100 0",
      ])
  }

  /// A device or another program ended it.
  @Test func aWaitDuringWhichNoThreadRanKeepsItsTime() {
    #expect(
      pathSteps(unseen(nil)) == [
        "notes-server running 0 10 0", "notes-server sleeping 10 13 0", "notes-server running 13 100 0",
      ])
  }

  /// The program ended at 60 ms, the kernel needed 5 ms more to remove it, and the launcher saw that at 100 ms.
  @Test func whatFollowsTheProgramIsTheLaunchersWaitForAProcessor() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(UInt64(65 * millisecond))), ("system_cpu_ns", .uint(0))])
    launch.pause(from: 10 * millisecond, to: 10 * millisecond + 1)
    launch.switched(.init(.exited, at: 60 * millisecond, on: launch.main, cpu: 0))
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(pathSteps(timeline).suffix(2) == ["notes-server running 10 65 0", "notes-server runnable 65 100 0"])
  }

  /// It ran for 24 of 80 ms, because other programs had its processor, and so no thread was named. A thread that waits is not
  /// what the main thread waits for.
  @Test(arguments: [SwitchKind.preempted, .sleeping]) func aThreadThatWasPreemptedHadWork(kind: SwitchKind) {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("futex", at: 50 * millisecond)
    launch.switched(.init(.switchedIn, at: 11 * millisecond, on: worker, cpu: 1))
    for start in [19, 49] as [Int64] {
      launch.pause(from: start * millisecond, to: (start + 22) * millisecond, kind, on: worker, cpu: 1)
    }
    launch.switched(.init(.sleeping, at: 79 * millisecond, on: worker, cpu: 1))
    let chain = LaunchTimeline(trace: launch.trace()).waitCauses(.waiting).first?.chain ?? []
    #expect(chain.map(\.link) == (kind == .preempted ? [.overlap] : []), "\(chain)")
  }

  @Test func aThreadOfAnotherProcessIsFollowed() {
    let timeline = chained { launch, middle, last in
      _ = launch.builder.process(99, name: "service")
      let binder = launch.builder.thread(99, ofProcess: 99, name: "binder")
      launch.turn(from: 12 * millisecond, to: 40 * millisecond, on: binder, cpu: 3)
      launch.wakeup(at: 40 * millisecond, of: middle, by: binder)
      launch.wakeup(at: 50 * millisecond, by: middle)
    }
    #expect(pathSteps(timeline)[2] == "binder running 12 40 2 wakeup")
  }

  /// `middle` waits for the main thread, which waits for it. The chain ends there.
  @Test func noThreadComesTwice() {
    let timeline = chained { launch, middle, last in
      launch.wakeup(at: 40 * millisecond, of: middle, by: launch.main)
      launch.wakeup(at: 50 * millisecond, by: middle)
    }
    #expect(pathSteps(timeline)[2] == "middle waiting 12 40 1 wakeup")
    #expect(timeline.waitCauses(.waiting).first?.chain.count == 1)
  }

  @Test func nobodyIsToBlameForATimer() {
    let timeline = chained { launch, middle, _ in
      launch.wakeup(at: 40 * millisecond, of: middle, by: nil)
      launch.wakeup(at: 50 * millisecond, by: middle)
    }
    #expect(pathSteps(timeline)[2] == "middle sleeping 12 40 1 wakeup")
  }

  @Test func chainsAreBounded() {
    var launch = launch()
    var threads = [launch.main]
    for number in 1...40 as ClosedRange<Int32> {
      let thread = launch.thread(5000 + number, name: "link \(number)")
      let time = Int64(number) * millisecond / 2
      launch.turn(from: 0, to: 10 * millisecond + time, on: thread, cpu: Int(number))
      launch.turn(from: 90 * millisecond - time, to: 95 * millisecond, on: thread, cpu: Int(number))
      threads.append(thread)
    }
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    for (waiting, thread) in zip(threads, threads.dropFirst()) {
      launch.look(
        "futex", at: 45 * millisecond, awaited: 5000 + Int32(threads.firstIndex(of: thread) ?? 0), on: waiting)
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    _ = pathSteps(timeline)
    #expect(timeline.criticalPath.steps.map(\.depth).max() == 32)
    #expect(timeline.waitCauses(.waiting).first?.chain.count == 8)
  }

  /// With any schedule and any waits, the path covers the whole launch.
  @Test func anyScheduleAddsUp() {
    var random = SeededGenerator()
    for _ in 0..<100 {
      var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
      let threads = [launch.main] + (1...4).map { launch.thread(5000 + $0, name: "thread \($0)") }
      for (cpu, thread) in threads.enumerated() {
        var time: Int64 = 0
        while time < 100 * millisecond {
          let end = time + Int64.random(in: 1...20_000_000, using: &random)
          if Bool.random(using: &random) {
            launch.pause(from: time, to: end, on: thread, cpu: cpu)
            let waker = threads.randomElement(using: &random)
            if Bool.random(using: &random) { launch.wakeup(at: end - 1, of: thread, by: waker) }
            if Bool.random(using: &random) {
              launch.look("futex", at: time + 1, owner: 5000 + Int32.random(in: 1...4, using: &random), on: thread)
            }
          }
          time = end + Int64.random(in: 1...5_000_000, using: &random)
        }
      }
      let timeline = LaunchTimeline(trace: launch.trace())
      _ = pathSteps(timeline)
      #expect(timeline.criticalPath.times.values.reduce(0) { $0 + $1.total } == timeline.total)
      #expect(timeline.criticalPath.steps.allSatisfy { $0.depth <= 8 })
    }
  }
}
