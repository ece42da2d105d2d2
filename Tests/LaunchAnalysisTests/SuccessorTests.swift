// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Launches whose first thread rests while other threads go on, as in a program with an `async` main.
struct SuccessorTests {
  private let millisecond: Int64 = 1_000_000

  private func wait(of timeline: LaunchTimeline) -> Finding? {
    timeline.findings.first { $0.id == FindingName.launchWaiting }
  }

  /// The first thread rests from 10 ms on, beyond the launch, which ends at 100 ms. `pool` goes on: it waits from 12 to 92 ms.
  private func resting(
    _ call: String = "rt_sigsuspend", by rule: Bool = false, _ change: (inout SampleLaunch, TrackID) -> Void
  ) -> LaunchTimeline {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.turn(from: 92 * millisecond, to: 110 * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 200 * millisecond)
    launch.look(call, at: 15 * millisecond, isTimed: call == "futex" ? false : nil)
    if rule {
      launch.instant("ready", at: 100 * millisecond, category: "launchprof.mark", [("source", .string("launcher"))])
    } else {
      launch.mark("ready", at: 100 * millisecond, on: pool)
    }
    change(&launch, pool)
    launch.launcher(exit: 300 * millisecond, isInstrumented: !rule)
    return LaunchTimeline(trace: launch.trace())
  }

  @Test(arguments: ["rt_sigsuspend", "epoll_wait", "futex"])
  func theLaunchWaitsForTheThreadThatMarksItsEnd(call: String) throws {
    let timeline = resting(call) { launch, pool in launch.look("clock_nanosleep", at: 20 * millisecond, on: pool) }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "pool running 10 12 1 end", "pool sleeping 12 92 1 end",
        "pool running 92 100 1 end",
      ])
    let finding = try #require(wait(of: timeline))
    #expect(finding.subject == "clock_nanosleep")
    #expect(finding.actual == 80 * millisecond && finding.expected == 16 * millisecond)
    #expect(
      finding.evidence == [
        Evidence(.thread, "pool (4720) waited", time: 80 * millisecond),
        Evidence(.systemCall, "clock_nanosleep", time: 80 * millisecond),
      ])
    #expect(finding.advice == "The program slept. Wait for the event that it needs instead of a fixed time.")
  }

  /// The launcher, which sees the end from outside, does not know the thread: it is the one that ran last.
  @Test func ofARuleItIsTheThreadThatRanLast() {
    let timeline = resting(by: true) { launch, pool in
      launch.look("epoll_wait", at: 30 * millisecond, on: pool)
      let idle = launch.thread(4730, name: "idle")
      launch.turn(from: 20 * millisecond, to: 21 * millisecond, on: idle)
    }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "pool running 10 12 1 last", "pool waiting 12 92 1 last",
        "pool running 92 100 1 last",
      ])
    #expect(timeline.criticalPath.times.values.contains { $0.likely == 90 * millisecond })
  }

  /// `pthread_exit` in `main`: the rest of the launch was unknown, and had no finding.
  @Test func anEndedMainThreadHasNoPartInTheLaunch() throws {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.look("clock_nanosleep", at: 20 * millisecond, on: pool)
    launch.turn(from: 52 * millisecond, to: 110 * millisecond, on: pool, cpu: 2)
    launch.switched(.init(.exited, at: 10 * millisecond, on: launch.main))
    launch.instant("ready", at: 100 * millisecond, category: "launchprof.mark", [("source", .string("launcher"))])
    launch.launcher(exit: 300 * millisecond, isInstrumented: false)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "pool running 10 12 1 last", "pool sleeping 12 52 1 last",
        "pool running 52 100 1 last",
      ])
    let finding = try #require(wait(of: timeline))
    #expect(finding.subject == "clock_nanosleep" && finding.actual == 40 * millisecond)
    #expect(!timeline.findings.contains { $0.id == FindingName.mainThreadWaiting })
  }

  /// A daemon: the launched process ends, and another one becomes ready. The launcher may know the end of its watch only.
  @Test(arguments: [11, 280]) func anEndedProcessIsTold(exit: Int64) throws {
    var launch = SampleLaunch()
    launch.switched(.init(.exited, at: 10 * millisecond, on: launch.main))
    launch.instant("ready", at: 100 * millisecond, category: "launchprof.mark", [("source", .string("launcher"))])
    launch.launcher(
      exit: exit * millisecond, isInstrumented: false,
      [("observer", .string("perf")), ("user_cpu_ns", .uint(11_000_000)), ("system_cpu_ns", .uint(0))])
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.subject == "exit_group" && finding.actual == 89 * millisecond)
    #expect(
      finding.advice == "The launched process had ended, and a process that it had started went on. "
        + "To see what that one did, record with --follow.")
  }

  /// The main thread itself wakes up, and ends the launch.
  @Test func aMainThreadThatEndsTheLaunchWaitsForNoSuccessor() {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.look("clock_nanosleep", at: 20 * millisecond, on: pool)
    launch.turn(from: 92 * millisecond, to: 94 * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 95 * millisecond)
    launch.look("poll", at: 15 * millisecond)
    launch.mark("ready", at: 100 * millisecond)
    launch.launcher(exit: 300 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "notes-server waiting 10 95 0", "notes-server running 95 100 0",
      ])
    #expect(wait(of: timeline) == nil)
  }

  /// Without a mark, the launch ends with the program. A thread that rests in `dispatchMain` did not end it.
  @Test(arguments: ["rt_sigsuspend", "epoll_wait"]) func theThreadThatEndsTheProgramIsTheSuccessor(call: String) {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.turn(from: 92 * millisecond, to: 99 * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 99 * millisecond)
    launch.look(call, at: 15 * millisecond)
    launch.switched(.init(.exited, at: 100 * millisecond, on: launch.main))
    launch.launcher(exit: 100 * millisecond, isInstrumented: false)
    let found = pathSteps(LaunchTimeline(trace: launch.trace()))
    #expect(found.contains("pool running 92 99 1 last") == (call == "rt_sigsuspend"), "\(found)")
  }

  /// Before a thread existed, the launch waited for the one that created it.
  @Test func aThreadIsFollowedToItsCreator() {
    let timeline = resting { launch, pool in
      let loader = launch.thread(4740, name: "loader")
      launch.switched(.init(.switchedIn, at: 91 * millisecond, on: loader, cpu: 3))
      launch.wakeup(at: 90 * millisecond, of: loader, by: pool)
      launch.mark("first-frame", at: 99 * millisecond, on: loader)
      launch.look("clock_nanosleep", at: 20 * millisecond, on: pool)
    }
    #expect(
      pathSteps(timeline) == [
        "notes-server running 0 10 0", "pool running 10 12 2 creation", "pool sleeping 12 90 2 creation",
        "loader runnable 90 91 1 end", "loader running 91 99 1 end",
      ])
    #expect(wait(of: timeline)?.actual == 78 * millisecond)
  }

  /// Each thread does a step of 5 ms and creates the next one. The last one ends the launch.
  @Test func aThreadForEachStepIsFollowed() {
    var launch = SampleLaunch()
    var creator: TrackID = launch.main
    for step in 1...20 as ClosedRange<Int64> {
      let thread = launch.thread(5000 + Int32(step), name: "step")
      launch.wakeup(at: 5 * step * millisecond, of: thread, by: creator)
      launch.turn(from: 5 * step * millisecond, to: 5 * (step + 1) * millisecond, on: thread, cpu: Int(step % 2) + 1)
      if step == 20 { launch.mark("ready", at: 105 * millisecond - 1, on: thread) }
      creator = thread
    }
    launch.pause(from: 5 * millisecond, to: 200 * millisecond)
    launch.look("rt_sigsuspend", at: 15 * millisecond)
    launch.launcher(exit: 300 * millisecond)
    let found = pathSteps(LaunchTimeline(trace: launch.trace()))
    #expect(found.count == 21 && found.allSatisfy { $0.contains(" running ") }, "\(found)")
  }

  /// A thread that runs just before an idle thread of a pool gets a processor has woken it. Timers end sleeps.
  @Test(
    arguments: [("futex", 0, true), ("futex", 300_000, false), ("clock_nanosleep", 0, false)] as [(String, Int64, Bool)]
  )
  func anIdleThreadIsWokenByTheOneThatRan(call: String, distance: Int64, isWoken: Bool) {
    let timeline = resting { launch, pool in
      launch.look(call, at: 20 * millisecond, isTimed: call == "futex" ? true : nil, on: pool)
      let loop = launch.thread(4750, name: "loop")
      launch.turn(from: 80 * millisecond, to: 92 * millisecond - distance, on: loop, cpu: 3)
    }
    let found = pathSteps(timeline)
    #expect(found.contains("loop running 80 92 2 last") == isWoken, "\(found)")
    #expect(found.contains { $0.hasPrefix("pool") && $0.contains(" 12 92 ") } == !isWoken, "\(found)")
  }

  /// The loop, which ran until 50 ms, woke the idle thread, which then had no processor until 92 ms; unless a timeout ended
  /// the wait.
  @Test(arguments: [5_000_000_000, 60_000_000] as [Int64]) func beforeATimeoutAThreadEndsTheWait(remaining: Int64) {
    let timeline = resting { launch, pool in
      launch.look("futex", at: 20 * millisecond, isTimed: true, remaining: remaining, on: pool)
      let loop = launch.thread(4750, name: "loop")
      launch.turn(from: 30 * millisecond, to: 50 * millisecond, on: loop, cpu: 3)
    }
    let isWoken = remaining > 1_000_000_000
    let found = pathSteps(timeline)
    #expect(found.contains("loop running 30 50 2 last") == isWoken, "\(found)")
    #expect(found.contains("pool runnable 50 92 1 end") == isWoken, "\(found)")
    #expect(found.contains("pool waiting 12 92 1 end") == !isWoken, "\(found)")
  }

  /// An idle thread may wait for an answer of another program. That is a finding only if it takes most of the budget.
  @Test(arguments: [92, 392] as [Int64]) func eventsOfALaunchMayTakeLonger(end: Int64) throws {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.look("epoll_wait", at: 20 * millisecond, on: pool)
    launch.turn(from: end * millisecond, to: (end + 20) * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 900 * millisecond)
    launch.look("rt_sigsuspend", at: 15 * millisecond)
    launch.mark("ready", at: (end + 8) * millisecond, on: pool)
    launch.launcher(exit: 950 * millisecond)
    let found = wait(of: LaunchTimeline(trace: launch.trace()))
    #expect(found?.actual == (end == 92 ? nil : 380 * millisecond))
    #expect(found?.advice.hasPrefix("It waited for events.") != false)
  }
}
