// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

struct PhaseTests {
  private func timeline(_ launch: SampleLaunch) -> LaunchTimeline { LaunchTimeline(trace: launch.trace()) }

  private func names(_ timeline: LaunchTimeline) -> [String] { timeline.phases.map(\.id) }

  /// To compare each with all others would take minutes.
  @Test func aLaunchMayReachManyMilestones() {
    var launch = SampleLaunch()
    for number in 0..<60_000 { launch.mark("step \(number)", at: Int64(number) * 100) }
    launch.mark("step 7", at: 6_500_000)
    launch.mark("ready", at: 7_000_000)
    let milestones = timeline(launch).milestones
    #expect(milestones.count { $0.id.hasPrefix("step ") } == 60_000)
    #expect(milestones.last?.id == "ready")
  }

  /// A large C++ program has thousands.
  @Test func aLaunchMayHaveManyInitializers() throws {
    var launch = SampleLaunch(preinit: 0)
    for number in 0..<20_000 {
      launch.initializer("init \(number)", image: "/app", from: Int64(number) * 100, to: Int64(number) * 100 + 90)
    }
    launch.mark("main", at: 2_000_000)
    launch.mark("ready", at: 3_000_000)
    let phase = try #require(timeline(launch).phases.first { $0.id == "static-init" })
    #expect(phase.children.count == 20_000 && phase.children.last?.id == "init 19999")
  }

  @Test func phasesOfOtherThreadsAreNotMixed() {
    var launch = SampleLaunch(preinit: 0)
    launch.phase("main work", from: 0, to: 1000)
    launch.mark("ready", at: 1000)
    let (first, second) = (launch.thread(5001, name: "a"), launch.thread(5002, name: "b"))
    launch.phase("outer", from: 100, to: 500, on: first)
    launch.phase("inner", from: 200, to: 300, on: first)
    launch.phase("meanwhile", from: 150, to: 250, on: second)
    launch.phase("crossing", from: 400, to: 600, on: second)
    let parallel = timeline(launch).parallelPhases
    #expect(parallel.map(\.id) == ["outer", "meanwhile", "crossing"])
    #expect(parallel.map { $0.children.map(\.id) } == [["inner"], [], []])
  }

  @Test func aWholeLaunch() {
    let timeline = timeline(.server())
    #expect(
      names(timeline) == [
        "load", "unattributed", "static-init", "unattributed", "main", "read-configuration", "unattributed",
        "open-database", "ready",
      ])
    expectTiling(timeline)
    #expect(timeline.total == 412_310_000)
    #expect(timeline.endMilestone == "ready")
    #expect(timeline.startSource == .launcher)
    #expect(timeline.startError == 6000)
    #expect(timeline.outcome == .signalled(signal: 15))
    #expect(timeline.isComplete)
    #expect(timeline.budget == 400_000_000)
    #expect(timeline.labels.version == "1.4.2")
    #expect(timeline.phases[2].children.map(\.id).last == "notes-server initializer 3")
    #expect(timeline.phases[5].costs?.cpu == 44_100_000)
    #expect(timeline.phases[5].costs?.majorFaults == 3)
    #expect(timeline.process?.maxResidentBytes == 46_243_840)
    #expect(timeline.recorder?.startupCost == 92_000)
  }

  /// A server goes on recording while it answers requests.
  @Test func theCostOfRecordingIsThatOfTheLaunch() {
    func cost(requests: Int64) -> (events: Int?, isFinding: Bool) {
      var launch = SampleLaunch(preinit: 1000)
      launch.interval("parse configuration", from: 1_000_000, to: 2_000_000)
      launch.interval("serve", from: 3_000_000, to: 900_000_000)
      launch.mark("ready", at: 50_000_000)
      for number in 0..<requests {
        launch.interval("request", from: 60_000_000 + number * 1000, to: 60_000_500 + number * 1000)
      }
      launch.launcher(exit: 1_000_000_000)
      let timeline = timeline(launch)
      return (timeline.recorder?.events, timeline.findings.contains { $0.id == FindingName.recorderOverhead })
    }
    let (quiet, busy) = (cost(requests: 0), cost(requests: 100_000))
    #expect(quiet.events == busy.events && !busy.isFinding, "\(quiet) \(busy)")
  }

  /// The trace of a server was full long after its launch.
  @Test(arguments: [(requests: Int64(100), isMissing: true), (200_000, false)])
  func eventsThatAreLostAfterTheLaunchAreNotMissing(requests: Int64, isMissing: Bool) {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, dropped: 300_000)
    launch.mark("ready", at: 50_000_000)
    for number in 0..<requests {
      launch.interval("request", from: 60_000_000 + number * 1000, to: 60_000_500 + number * 1000)
    }
    launch.launcher(exit: 1_000_000_000)
    #expect(timeline(launch).findings.contains { $0.id == FindingName.eventsDropped } == isMissing)
  }

  @Test func aProgramWithAWindow() {
    let timeline = timeline(.interface())
    expectTiling(timeline)
    #expect(
      names(timeline).filter { $0 != "unattributed" } == [
        "load", "static-init", "main", "will-finish-launching", "did-finish-launching", "scene-connect", "first-frame",
        "extended",
      ])
    let didFinish = timeline.phases.first { $0.id == "did-finish-launching" }
    #expect(didFinish?.children.map(\.id) == ["state-restoration"])
    #expect(timeline.parallelPhases.map(\.id) == ["one-time-setup"])
    #expect(timeline.endMilestone == "first-frame")
    #expect(timeline.total == 83_000_000)
    #expect(timeline.extendedEnd - timeline.start == 120_000_000)
    #expect(timeline.startSource == .estimated)
    #expect(timeline.phases.first?.source == .estimated)
  }

  @Test func aCrashEndsAtTheLastThingKnown() {
    let timeline = timeline(.crash())
    expectTiling(timeline)
    #expect(names(timeline) == ["load", "static-init", "main", "open-database"])
    #expect(timeline.phases.last?.isUnfinished == true)
    #expect(timeline.endMilestone == MilestoneName.exit)
    #expect(timeline.total == 61_000_000)
    #expect(!timeline.isComplete)
    #expect(timeline.findings.first?.id == FindingName.failedLaunch)
    #expect(timeline.findings.first?.subject == "open-database")
  }

  /// The end lies in no phase, so it is after the last one.
  @Test func aFailureAfterTheLastPhaseIsNotInIt() {
    var launch = SampleLaunch()
    launch.launcher(exit: 60 * 1_000_000, status: 7, isInstrumented: false)
    launch.phase("load", from: 0, to: 10 * 1_000_000)
    let finding = timeline(launch).findings.first { $0.id == FindingName.failedLaunch }
    #expect(finding?.advice == "It ended after load, before the launch was over. Read its messages.")
  }

  @Test func killedInItsInitializers() {
    var launch = SampleLaunch(preinit: 1000)
    launch.initializer("libslow.so initializer 1", image: "/lib/libslow.so", from: 1100, to: 1500)
    launch.initializer("libslow.so initializer 2", image: "/lib/libslow.so", from: 1500, to: nil)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(names(timeline) == ["load", "static-init"])
    #expect(timeline.phases[1].children.map(\.id) == ["libslow.so initializer 1", "libslow.so initializer 2"])
    // A program that calls exit(3) there has neither been killed nor is it still running.
    let finding = timeline.findings.first { $0.id == FindingName.failedLaunch }
    #expect(finding?.advice.hasSuffix("the program ended or was killed there, or it still runs.") == true)
    #expect(timeline.phases[1].children[1].isUnfinished)
    #expect(timeline.endMilestone == MilestoneName.lastEvent)
    #expect(!timeline.isComplete)
  }

  /// What the advice names must have an effect: a program that calls `LaunchProfiler.start` does not read the variable.
  @Test(arguments: [("launcher", "Raise LAUNCHPROF_LIMIT,"), ("estimated", "LaunchProfiler.start")])
  func missingEventsHaveTheAdviceOfTheirRecording(source: String, advice: String) {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, source: source, dropped: 7)
    launch.mark("ready", at: 2000)
    let finding = timeline(launch).findings.first { $0.id == FindingName.eventsDropped }
    #expect(finding?.advice.contains(advice) == true, "\(finding?.advice ?? "none")")
  }

  /// The end of the launch is missing in it, whether or not the program was killed.
  @Test func aFullTraceDoesNotSayHowTheProgramEnded() {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, source: "estimated", dropped: 7)
    launch.phase("did-finish-launching", from: 2000, to: nil)
    let finding = timeline(launch).findings.first { $0.id == FindingName.failedLaunch }
    #expect(finding?.advice.hasPrefix("The trace is full. It ends in did-finish-launching, and how") == true)
    #expect(finding?.advice.hasSuffix("or LAUNCHPROF_LIMIT, or free space on the disk.") == true)
  }

  @Test func theOutsideKnowsMoreOfLoading() {
    var launch = SampleLaunch(preinit: 5000)
    launch.phase("exec", from: 0, to: 1000, on: launch.process, [("source", .string("kernel"))])
    launch.phase("load", from: 1000, to: 2000, on: launch.process)
    launch.phase("relocate", from: 2000, to: 4900, on: launch.process)
    launch.mark("main", at: 6000)
    launch.mark("first-frame", at: 9000)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(names(timeline) == ["exec", "load", "relocate", "unattributed", "static-init", "main"])
    #expect(timeline.phases[0].source == .kernel)
  }

  @Test func launchedButNotInstrumented() {
    let timeline = timeline(.launcherOnly())
    #expect(names(timeline) == ["unattributed"])
    #expect(timeline.total == 23_400_000)
    #expect(timeline.findings.map(\.id) == [FindingName.notInstrumented])
  }

  /// Breakpoints show its phases where perf events are forbidden.
  @Test(arguments: ["", "perf events are not available"]) func phasesAreMoreThanTheTotal(shortcoming: String) {
    var launch = SampleLaunch()
    launch.phase("load", from: 0, to: 4_000_000)
    launch.phase("main", from: 4_000_000, to: 20_000_000)
    launch.launcher(
      exit: 23_400_000, isInstrumented: false,
      [("observer", .string("ptrace")), ("observer_shortcoming", .string(shortcoming))])
    let finding = timeline(launch).findings.first { $0.id == FindingName.notInstrumented }
    #expect((finding == nil) == shortcoming.isEmpty)
    if let finding { #expect(finding.advice.hasPrefix("Waits and stacks are not known.")) }
  }

  @Test(arguments: [(13, "pipe"), (11, "core dump"), (9, "memory runs out"), (15, "which process")])
  func theAdviceFitsTheSignal(signal: Int, words: String) {
    var launch = SampleLaunch()
    launch.launcher(exit: 23_400_000, outcome: "signalled", signal: signal, isInstrumented: false)
    #expect(timeline(launch).findings.first?.advice.contains(words) == true)
  }

  @Test func onlyOpenIntervalsAreMentioned() {
    var launch = SampleLaunch()
    launch.launcher(exit: 23_400_000, outcome: "timed-out", isInstrumented: false)
    #expect(timeline(launch).findings.first?.advice.contains("(open)") == false)
    launch.interval("query", from: 1_000_000, to: nil)
    #expect(timeline(launch).findings.first?.advice.contains("(open)") == true)
  }

  /// More time would not have helped: the server listened on another port.
  @Test func theRuleThatWasNotMetIsNamed() throws {
    func advice(isDefault: Bool) throws -> String {
      var launch = SampleLaunch()
      launch.launcher(
        exit: 90_000_000, outcome: "timed-out",
        [
          ("ready_rule", .string("listen")), ("ready_argument", .string("8081")),
          ("ready_by_default", .bool(isDefault)),
        ])
      return try #require(timeline(launch).findings.first { $0.id == "failed-launch" }).advice
    }
    #expect(
      try advice(isDefault: false).hasSuffix(
        "and never listened on 8081. Allow more with --timeout, or choose another rule with --ready."))
    #expect(try advice(isDefault: true).hasSuffix("Allow more with --timeout."))
  }

  /// The launcher looks for a socket from time to time.
  @Test func aMilestoneMayHaveBeenEarlier() throws {
    var launch = SampleLaunch()
    launch.recorder(preinit: 100)
    launch.mark("main", at: 200)
    launch.instant("ready", at: 600, category: "launchprof.mark", on: launch.process, [("error_ns", .uint(50))])
    let milestones = timeline(launch).milestones
    #expect(milestones.first { $0.id == "ready" }?.error == 50)
    #expect(milestones.first { $0.id == "main" }?.error == 0)
  }

  /// A daemon's parent ended, and the daemon never listened: the message said that the time ran out in `main`.
  @Test func aProcessThatEndedDidNotRunOutOfTime() throws {
    var launch = SampleLaunch()
    launch.launcher(exit: 90_000_000, outcome: "timed-out")
    launch.mark("main", at: 1_000_000)
    launch.switched(.init(.switchedIn, at: 0, on: launch.main))
    launch.switched(.init(.exited, at: 2_000_000, on: launch.main))
    let finding = try #require(timeline(launch).findings.first { $0.id == "failed-launch" })
    #expect(finding.advice.hasPrefix("The process ended, and nothing that it left running was ready in time."))
  }

  @Test func aPhaseThatOutlivesTheLaunchIsCutAtItsEnd() {
    var launch = SampleLaunch(preinit: 100)
    launch.mark("main", at: 200)
    launch.phase("set-up", from: 300, to: 900)
    launch.mark("ready", at: 600)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(timeline.phases.last?.id == "set-up")
    #expect(timeline.end - timeline.start == 600)
  }

  @Test func theEndOfALaunch() {
    func end(_ marks: [(String, Int64)], exit: Int64? = nil) -> (String, Int64) {
      var launch = SampleLaunch(preinit: 100)
      launch.mark("main", at: 150)
      for (id, time) in marks { launch.mark(id, at: time) }
      if let exit { launch.launcher(exit: exit) }
      let timeline = timeline(launch)
      expectTiling(timeline)
      return (timeline.endMilestone, timeline.total)
    }
    #expect(end([("ready", 300), ("first-frame", 200), ("fully-drawn", 400)]) == ("first-frame", 200))
    #expect(end([("ready", 200), ("first-frame", 300)]) == ("ready", 200))
    #expect(end([("fully-drawn", 400)], exit: 900) == ("fully-drawn", 400))
    #expect(end([], exit: 900) == ("exit", 900))
    #expect(end([]) == ("last-event", 150))
  }

  @Test func aPhaseThatSuspendedIsAPhaseOfTheLaunch() {
    var launch = SampleLaunch(preinit: 100)
    launch.phase("recorder", from: 100, to: 150)
    launch.phase("static-init", from: 150, to: 180)
    launch.mark("main", at: 200)
    let worker = launch.thread(5000, name: "pool")
    let lane = launch.lane()
    launch.async(
      "did-finish-launching", from: 300, to: 700, lane: lane, began: launch.main, ended: worker,
      category: "launchprof.phase")
    launch.mark("ready", at: 800)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(
      names(timeline) == [
        "load", "recorder", "static-init", "unattributed", "main", "did-finish-launching", "ready",
      ])
  }

  @Test func aForeignTraceIsOnePhase() {
    var builder = TraceBuilder(format: .chromeJSON)
    let thread = builder.thread(7, ofProcess: 3, name: "worker")
    builder.begin(track: thread, time: 5000, duration: 700, name: builder.string("a"))
    builder.begin(track: thread, time: 5100, duration: 100, name: builder.string("b"))
    let timeline = LaunchTimeline(trace: builder.finish())
    #expect(names(timeline) == ["trace"])
    #expect(timeline.start == 5000)
    #expect(timeline.total == 700)
    #expect(timeline.isComplete)
    #expect(timeline.findings.isEmpty)
    expectTiling(timeline)
  }

  @Test func anEmptyTraceIsATimelineToo() {
    let timeline = LaunchTimeline(trace: Trace(format: .perfetto))
    #expect(timeline.total == 0)
    #expect(names(timeline) == ["trace"])
    #expect(timeline.flame.count == 0)
  }

  @Test func timesAtTheEndsOfTheWorldDoNotTrap() {
    var builder = TraceBuilder(format: .perfetto)
    let thread = builder.thread(3, ofProcess: 3)
    let lane = builder.thread(4, ofProcess: 3)
    builder.begin(
      track: thread, time: .min, name: builder.string("first"), category: builder.string("launchprof.phase"))
    builder.begin(track: lane, time: .min + 5, duration: .max, name: builder.string("long"))
    builder.begin(track: thread, time: .max - 5, name: builder.string("last"))
    builder.instant(
      track: thread, time: .max, name: builder.string("ready"), category: builder.string("launchprof.mark"))
    let timeline = LaunchTimeline(trace: builder.finish())
    #expect(timeline.total >= 0)
    expectTiling(timeline)
  }

  @Test func anyPhasesTile() {
    var random = SeededGenerator()
    for _ in 0..<400 {
      var launch = SampleLaunch()
      let preinit = Int64.random(in: 0...1000, using: &random)
      if Bool.random(using: &random) { launch.recorder(preinit: preinit) }
      if Bool.random(using: &random) { launch.mark("main", at: preinit + .random(in: 0...500, using: &random)) }
      let worker = launch.thread(5000, name: "worker")
      for number in 0..<Int.random(in: 0...12, using: &random) {
        let start = Int64.random(in: 0...5000, using: &random)
        let end = Int.random(in: 0...5, using: &random) == 0 ? nil : start + .random(in: 0...2000, using: &random)
        let onWorker = Int.random(in: 0...3, using: &random) == 0
        let id = ["static-init", "load", "main", "extended", "own-\(number)"].randomElement(using: &random) ?? ""
        launch.phase(
          id, from: start, to: end, on: onWorker ? worker : launch.main,
          onWorker && Bool.random(using: &random) ? [("main_actor", .bool(true))] : [])
        if Bool.random(using: &random) {
          launch.initializer("init \(number)", image: "lib", from: start, to: start + 10)
        }
      }
      for mark in ["ready", "first-frame", "fully-drawn"] where Int.random(in: 0...2, using: &random) == 0 {
        launch.mark(mark, at: .random(in: 0...6000, using: &random))
      }
      if Bool.random(using: &random) { launch.launcher(exit: .random(in: 0...7000, using: &random)) }
      expectTiling(timeline(launch))
    }
  }

  /// To look into a thousand of them is enough: each may contain all others.
  @Test func notAllOfManyPhasesAreLookedInto() throws {
    var launch = SampleLaunch()
    for phase in 0..<1100 as Range<Int64> {
      launch.phase("phase \(phase)", from: phase * 1000, to: phase * 1000 + 900)
      launch.interval("inner", from: phase * 1000 + 100, to: phase * 1000 + 800)
    }
    launch.mark("ready", at: 2_000_000)
    launch.launcher(exit: 2_000_000, budgets: "format\t1\nphase\t*\t500\n")
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.phaseOverBudget }
    #expect(findings.count == 1100)
    #expect(findings.count { $0.evidence.first?.text == "inner" } == 1000)
  }
}

/// Checks that phases tile the launch without a gap, and that children are inside their phase.
func expectTiling(_ timeline: LaunchTimeline, sourceLocation: SourceLocation = #_sourceLocation) {
  var time = timeline.start
  for phase in timeline.phases {
    #expect(phase.start == time, "\(phase.id) leaves a gap", sourceLocation: sourceLocation)
    #expect(phase.end >= phase.start, sourceLocation: sourceLocation)
    expectInside(phase, sourceLocation: sourceLocation)
    time = phase.end
    if phase.id == "extended", phase.start == timeline.end { break }
  }
  let launch = timeline.phases.filter { $0.start < timeline.end }.reduce(0) { $0 + $1.duration }
  #expect(launch == timeline.total, sourceLocation: sourceLocation)
}

private func expectInside(_ phase: Phase, sourceLocation: SourceLocation) {
  for child in phase.children {
    #expect(child.start >= phase.start && child.end <= phase.end && child.duration >= 0, sourceLocation: sourceLocation)
    expectInside(child, sourceLocation: sourceLocation)
  }
}
