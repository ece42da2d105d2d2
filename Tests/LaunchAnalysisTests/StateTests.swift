// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// The main thread has one state at each instant. The times add up to the launch.
struct StateTests {
  let millisecond: Int64 = 1_000_000

  /// Rows as `<state> <start> <end>` in microseconds from the launch's start. Checks that they tile the launch.
  func rows(_ launch: SampleLaunch) -> [String] {
    let timeline = LaunchTimeline(trace: launch.trace())
    let states = timeline.states
    #expect(states.start.first ?? timeline.start == timeline.start)
    #expect(states.end == timeline.extendedEnd)
    #expect((0..<states.count).allSatisfy { states.duration(of: $0) > 0 })
    #expect(states.totals(from: timeline.start, to: timeline.end).sum == timeline.total)
    #expect(timeline.stateSummaries.reduce(0) { $0 + $1.total } == timeline.total)
    for phase in timeline.phases {
      #expect(states.totals(from: phase.start, to: phase.end).sum == phase.duration)
    }
    return (0..<states.count).map { row in
      let (start, end) = (states.start[row] - timeline.start, states.end(of: row) - timeline.start)
      return "\(states.state[row].name) \(start / 1000) \(end / 1000)"
    }
  }

  func launch(exit: Int64 = 100_000_000) -> SampleLaunch { SampleLaunch(exit: exit, isInstrumented: false) }

  /// A breakpoint instruction of the launcher, or a debugger: the program did not wait, and did not work.
  @Test func aStopIsNoWait() throws {
    var launch = launch()
    launch.samples(["main", "app.load()"], from: 0, to: 5 * millisecond)
    launch.pause(from: 5 * millisecond, to: 60 * millisecond, .stopped)
    launch.samples(["main", "app.load()"], from: 60 * millisecond, to: 65 * millisecond)
    #expect(rows(launch).contains("stopped 5000 60000"), "\(rows(launch))")
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.findings.map(\.id) == [FindingName.suspended], "\(timeline.findings)")
  }

  /// Its records have filled the memory that they may have.
  @Test func afterTheObservationNothingIsKnown() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("observer", .string("perf")), ("observed_until_ns", .uint(UInt64(launch.origin + 30 * millisecond)))])
    launch.pause(from: 10 * millisecond, to: 20 * millisecond)
    launch.switched(.init(.preempted, at: 25 * millisecond, on: launch.main))
    #expect(
      rows(launch) == [
        "running 0 10000", "sleeping 10000 20000", "running 20000 25000", "runnable 25000 30000",
        "unknown 30000 100000",
      ])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.findings.allSatisfy { $0.id == FindingName.notInstrumented }, "\(timeline.findings)")
  }

  @Test func withoutSwitchesNothingIsKnown() {
    let launch = launch()
    #expect(rows(launch) == ["unknown 0 100000"])
    #expect(!LaunchTimeline(trace: launch.trace()).states.isKnown)
  }

  @Test func switchesSayWhatAThreadDid() {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .sleeping)
    launch.pause(from: 30 * millisecond, to: 35 * millisecond, .uninterruptible)
    launch.pause(from: 40 * millisecond, to: 47 * millisecond, .preempted)
    #expect(
      rows(launch) == [
        "running 0 10000", "sleeping 10000 20000", "running 20000 30000", "blocked-io 30000 35000",
        "running 35000 40000", "runnable 40000 47000", "running 47000 100000",
      ])
  }

  @Test func aWakeupPartsWaitingFromWaitingForAProcessor() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond)
    launch.wakeup(at: 17 * millisecond, by: worker)
    // The second wake-up has no effect, because the thread is awake.
    launch.wakeup(at: 18 * millisecond, by: launch.main)
    launch.pause(from: 30 * millisecond, to: 40 * millisecond)
    launch.wakeup(at: 39 * millisecond, by: nil)
    #expect(
      rows(launch) == [
        "running 0 10000", "waiting 10000 17000", "runnable 17000 20000", "running 20000 30000",
        "sleeping 30000 39000", "runnable 39000 40000", "running 40000 100000",
      ])
    let wait = LaunchTimeline(trace: launch.trace()).states.waits.first
    #expect(wait?.culprit == worker.rawValue)
    #expect(wait?.link == .wakeup)
  }

  /// Without the scheduler's records, a wake-up is an estimate. The look still says what the wait was for.
  @Test func anEstimatedWakeupDoesNotSayWhoEndedTheWait() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("observer", .string("perf")), ("wait_states", .string("looks"))])
    let worker = launch.thread(4720, name: "worker")
    launch.turn(from: 11 * millisecond, to: 29 * millisecond, on: worker)
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("futex", at: 20 * millisecond)
    launch.wakeup(at: 30 * millisecond, by: nil)
    #expect(
      rows(launch) == [
        "running 0 10000", "waiting 10000 30000", "runnable 30000 60000", "running 60000 100000",
      ])
    let wait = LaunchTimeline(trace: launch.trace()).states.waits.first
    #expect(wait?.culprit == worker.rawValue && wait?.link == .overlap && wait?.isEndRecorded == false)
  }

  @Test func looksSayWhatItWaitedFor() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.interval("rebuild index", from: 5 * millisecond, to: 50 * millisecond, on: worker)
    launch.pause(from: 10 * millisecond, to: 20 * millisecond)
    launch.look("futex", at: 12 * millisecond, owner: 4720)
    launch.pause(from: 30 * millisecond, to: 35 * millisecond)
    launch.look("futex", at: 32 * millisecond)
    launch.pause(from: 40 * millisecond, to: 45 * millisecond)
    launch.look("clock_nanosleep", at: 42 * millisecond)
    launch.pause(from: 50 * millisecond, to: 55 * millisecond)
    launch.look("read", at: 52 * millisecond, path: "/srv/cold.dat")
    launch.pause(from: 60 * millisecond, to: 65 * millisecond)
    launch.look("read", at: 62 * millisecond, path: "pipe:[1234]")
    launch.pause(from: 70 * millisecond, to: 75 * millisecond)
    launch.look("futex", at: 72 * millisecond, state: "D")
    #expect(
      rows(launch).filter { !$0.hasPrefix("running") } == [
        "lock 10000 20000", "waiting 30000 35000", "sleeping 40000 45000", "blocked-io 50000 55000",
        "waiting 60000 65000", "blocked-io 70000 75000",
      ])
    let timeline = LaunchTimeline(trace: launch.trace())
    let lock = timeline.waitCauses(.lock).first
    #expect(lock?.chain.map(\.track) == [worker.rawValue])
    #expect(lock?.chain.first?.link == .owner)
    #expect(lock?.chain.first?.activity == "rebuild index")
    #expect(timeline.waitCauses(.blocked).first?.path == "/srv/cold.dat")
  }

  @Test func aFaultExplainsTheWaitBeforeIt() {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 12 * millisecond)
    launch.fault(at: 12 * millisecond + 3000, path: "/usr/lib/libbig.so")
    launch.pause(from: 20 * millisecond, to: 22 * millisecond)
    launch.fault(at: 25 * millisecond, path: "/usr/lib/libother.so")
    #expect(rows(launch).filter { !$0.hasPrefix("running") } == ["blocked-io 10000 12000", "sleeping 20000 22000"])
    #expect(LaunchTimeline(trace: launch.trace()).states.waits.first?.path == "/usr/lib/libbig.so")
  }

  @Test func whoRanMeanwhileIsTakenForTheReason() {
    var launch = launch()
    let busy = launch.thread(4720, name: "busy")
    let idle = launch.thread(4721, name: "idle")
    launch.pause(from: 10 * millisecond, to: 30 * millisecond)
    launch.turn(from: 11 * millisecond, to: 29 * millisecond, on: busy)
    launch.turn(from: 12 * millisecond, to: 13 * millisecond, on: idle, cpu: 2)
    // A sleep that the program asked for has no culprit.
    launch.pause(from: 50 * millisecond, to: 60 * millisecond)
    launch.look("nanosleep", at: 52 * millisecond)
    launch.turn(from: 50 * millisecond, to: 60 * millisecond, on: busy)
    let waits = LaunchTimeline(trace: launch.trace()).states.waits
    #expect(waits.map(\.culprit) == [busy.rawValue, nil])
    #expect(waits.first?.link == .overlap)
  }

  @Test func theMainActorIsFollowedToOtherThreads() {
    var (launch, worker) = SampleLaunch.mainActorElsewhere()
    launch.look("rt_sigsuspend", at: 15 * millisecond)
    launch.turn(from: 19 * millisecond, to: 30 * millisecond, on: worker)
    launch.turn(from: 35 * millisecond, to: 61 * millisecond, on: worker)
    #expect(
      rows(launch) == [
        "running 0 10000", "waiting 10000 20000", "running 20000 30000", "sleeping 30000 35000",
        "running 35000 60000", "waiting 60000 80000",
      ])
  }

  @Test func withoutSwitchesSamplesAndQuietPhasesSayWhenItRan() {
    var launch = SampleLaunch()
    launch.builder.trace.sampleUnit = "ns"
    let stack = launch.builder.frame(caller: -1, function: launch.builder.string("main"))
    for time in [10, 11, 12, 20] as [Int64] {
      launch.builder.sample(
        track: launch.main, time: launch.origin + time * millisecond, stack: stack, weight: millisecond)
    }
    launch.launcher(exit: 40 * millisecond, isInstrumented: false)
    launch.phase(
      "quiet", from: 30 * millisecond, to: 35 * millisecond,
      [("cpu_ns", .uint(5_000_000)), ("voluntary_switches", .uint(0)), ("involuntary_switches", .uint(0))])
    #expect(
      rows(launch) == [
        "unknown 0 9500", "running 9500 12500", "unknown 12500 19500", "running 19500 20500", "unknown 20500 30000",
        "running 30000 35000", "unknown 35000 40000",
      ])
  }

  /// Some sandboxes do not count switches. The phase's CPU time then tells that it waited.
  @Test func aPhaseThatWaitedWithoutCountedSwitchesIsNotRunning() {
    var launch = SampleLaunch(exit: 40 * millisecond, isInstrumented: false)
    for (number, cpu) in [4_600_000, 2_500_000].enumerated() {
      let start = Int64(10 + 10 * number) * millisecond
      launch.phase(
        "load \(number)", from: start, to: start + 5 * millisecond,
        [("cpu_ns", .uint(UInt64(cpu))), ("voluntary_switches", .uint(0)), ("involuntary_switches", .uint(0))])
    }
    #expect(rows(launch) == ["unknown 0 10000", "running 10000 15000", "unknown 15000 40000"])
  }

  /// After its last switch a thread releases its resources. The process's CPU time says for how long. Then the launcher
  /// waits for a processor to see the end.
  @Test func aThreadThatIsGoneRanForWhatNoSwitchTells() {
    func rows(cpu: UInt64, readBytes: UInt64) -> [String] {
      var launch = SampleLaunch()
      launch.launcher(
        exit: 100 * millisecond, isInstrumented: false,
        [("user_cpu_ns", .uint(cpu * 1_000_000)), ("system_cpu_ns", .uint(0)), ("read_bytes", .uint(readBytes))])
      let worker = launch.thread(4720, name: "worker")
      launch.switched(.init(.switchedIn, at: 2 * millisecond, on: launch.main))
      launch.turn(from: 20 * millisecond, to: 40 * millisecond, on: worker)
      launch.switched(.init(.exited, at: 60 * millisecond, on: launch.main))
      return self.rows(launch)
    }
    let seen: UInt64 = 58 + 20
    #expect(rows(cpu: seen, readBytes: 0) == ["unknown 0 2000", "running 2000 60000", "runnable 60000 100000"])
    #expect(
      rows(cpu: seen + 1, readBytes: 0) == [
        "unknown 0 2000", "running 2000 60000", "unknown 60000 61000", "runnable 61000 100000",
      ])
    #expect(rows(cpu: seen + 12, readBytes: 0) == ["running 0 70000", "runnable 70000 100000"])
    #expect(rows(cpu: seen + 12, readBytes: 1) == ["unknown 0 2000", "running 2000 70000", "runnable 70000 100000"])
    #expect(rows(cpu: seen + 500, readBytes: 0) == ["running 0 100000"])
  }

  /// When execve(2) takes the program out of the launcher's memory, that wakes the launcher, and a busy machine lets the program
  /// wait. What the program reads later says nothing about that.
  @Test(arguments: [0, 4096, nil] as [UInt64?]) func aProgramThatReadNothingWaitedForAProcessor(read: UInt64?) {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(59_000_000)), ("system_cpu_ns", .uint(0)), ("read_bytes", .uint(1 << 20))])
    let annotations: [(String, AnnotationValue)] = read.map { [("read_bytes", .uint($0))] } ?? []
    launch.instant("exec", at: 5 * millisecond, category: "launchprof.point", annotations)
    launch.switched(.init(.switchedIn, at: 5 * millisecond, on: launch.main))
    launch.switched(.init(.exited, at: 63 * millisecond, on: launch.main))
    let first = read == 0 ? ["unknown 0 1000", "runnable 1000 5000"] : ["unknown 0 5000"]
    #expect(rows(launch).prefix { !$0.hasPrefix("running") } == first[...], "\(rows(launch))")
  }

  /// wait4(2) counts their CPU time with that of the process.
  @Test func theTimeOfChildrenIsNotThatOfTheProcess() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(90_000_000)), ("system_cpu_ns", .uint(0)), ("read_bytes", .uint(1))])
    launch.pause(from: 10 * millisecond, to: 40 * millisecond)
    launch.look("wait4", at: 20 * millisecond)
    launch.switched(.init(.exited, at: 60 * millisecond, on: launch.main))
    #expect(
      rows(launch) == [
        "running 0 10000", "waiting 10000 40000", "running 40000 60000", "unknown 60000 100000",
      ])
  }

  /// A server that computes after `ready` was "running" while it waited for a CPU at its start.
  @Test func workAfterTheLaunchIsNoWorkOfTheLaunch() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(60_000_000)), ("system_cpu_ns", .uint(0)), ("read_bytes", .uint(0))])
    launch.mark("ready", at: 40 * millisecond)
    launch.switched(.init(.switchedIn, at: 8 * millisecond, on: launch.main))
    launch.pause(from: 20 * millisecond, to: 52 * millisecond)
    launch.switched(.init(.exited, at: 100 * millisecond, on: launch.main))
    #expect(rows(launch) == ["unknown 0 8000", "running 8000 20000", "sleeping 20000 40000"])
  }

  /// The main thread ended, and another thread used the CPU time that no switch shows.
  @Test func aMainThreadThatEndedEarlyIsNotTakenDown() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(90_000_000)), ("system_cpu_ns", .uint(0))])
    let worker = launch.thread(4720, name: "worker")
    launch.switched(.init(.switchedIn, at: 2 * millisecond, on: launch.main))
    launch.turn(from: 50 * millisecond, to: 80 * millisecond, on: worker)
    launch.switched(.init(.exited, at: 10 * millisecond, on: launch.main))
    #expect(rows(launch) == ["unknown 0 2000", "running 2000 10000", "waiting 10000 100000"])
  }

  /// Only the end of the whole process makes the phase `exit`.
  @Test(arguments: [false, true]) func theKernelTakesAProcessDown(hasWorker: Bool) {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.instant("main", at: 10 * millisecond, category: "launchprof.point", [("source", .string("breakpoint"))])
    launch.switched(.init(.switchedIn, at: 2 * millisecond, on: launch.main))
    launch.switched(.init(.exited, at: 60 * millisecond, on: launch.main))
    if hasWorker {
      launch.switched(.init(.switchedIn, at: 20 * millisecond, on: worker, cpu: 1))
      launch.switched(.init(.exited, at: 90 * millisecond, on: worker, cpu: 1))
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    let exit = timeline.phases.last
    #expect(exit?.id == PhaseName.exit && exit?.source == .kernel && exit?.budget == nil)
    #expect(exit?.start == timeline.start + (hasWorker ? 90 : 60) * millisecond && exit?.end == timeline.end)
  }

  /// A launch that is over before the program ends has no phase `exit`.
  @Test func aLaunchThatIsReadyDoesNotExit() {
    var launch = launch()
    launch.mark("ready", at: 50 * millisecond)
    launch.switched(.init(.exited, at: 60 * millisecond, on: launch.main))
    #expect(!LaunchTimeline(trace: launch.trace()).phases.contains { $0.id == PhaseName.exit })
  }

  /// Any schedule tiles the launch, even with lost events.
  @Test func anyScheduleAddsUp() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var launch = launch(exit: Int64.random(in: 1...1_000_000, using: &random))
      let worker = launch.thread(4720, name: "worker")
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let kind = SwitchKind(rawValue: UInt8.random(in: 0...5, using: &random)) ?? .preempted
        let time = Int64.random(in: -1000...1_200_000, using: &random)
        launch.switched(.init(kind, at: time, on: Bool.random(using: &random) ? worker : launch.main))
        if Bool.random(using: &random) { launch.wakeup(at: time + 500, by: worker) }
        if Bool.random(using: &random) { launch.look("read", at: time + 100, path: "/a") }
      }
      _ = rows(launch)
    }
  }
}
