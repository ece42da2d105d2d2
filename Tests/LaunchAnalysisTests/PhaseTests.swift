// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// The phases of a launch: they follow each other without a gap.
struct PhaseTests {
  private func timeline(_ launch: SampleLaunch) -> LaunchTimeline { LaunchTimeline(trace: launch.trace()) }

  private func names(_ timeline: LaunchTimeline) -> [String] { timeline.phases.map(\.id) }

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

  /// The launch's own `main`, `ready` and `load` became time outside all phases.
  @Test(arguments: ["main", "ready", "load"]) func aProgramMayUseTheNamesOfTheLaunch(_ name: String) {
    var launch = SampleLaunch(preinit: 100)
    launch.mark("main", at: 200)
    launch.phase(name, from: 300, to: 600)
    launch.mark("ready", at: 800)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(names(timeline) == ["load", "static-init", "main", name, "ready"])
  }

  /// A wait for a processor may be in any code, and asks for no phase.
  @Test(arguments: [SwitchKind.preempted, .sleeping]) func aWaitForAProcessorIsNotUnattributed(_ kind: SwitchKind) {
    let millisecond: Int64 = 1_000_000
    var launch = SampleLaunch(preinit: 0)
    launch.mark("main", at: 0)
    launch.phase("first", from: 0, to: 30 * millisecond)
    launch.phase("second", from: 60 * millisecond, to: 90 * millisecond)
    launch.pause(from: 31 * millisecond, to: 59 * millisecond, kind)
    launch.launcher(exit: 90 * millisecond)
    let finding = self.timeline(launch).findings.first { $0.id == FindingName.unattributedTime }
    #expect(finding?.actual == (kind == .sleeping ? 30 * millisecond : nil))
  }

  /// The advice was to move it off the main thread.
  @Test func aPhaseOfAnotherThreadOverItsBudgetSaysWhere() throws {
    var launch = SampleLaunch()
    launch.mark("main", at: 0)
    launch.phase("warm", from: 1_000, to: 40_000, on: launch.thread(5000, name: "pool"))
    launch.phase("set-up", from: 1_000, to: 40_000)
    launch.launcher(exit: 50_000, budgets: "format\t1\nphase\twarm\t5000\nphase\tset-up\t5000\n")
    let findings = timeline(launch).findings.filter { $0.id == FindingName.phaseOverBudget }
    let warm = try #require(findings.first { $0.subject == "warm" })
    #expect(warm.path == ["pool (5000)"])
    #expect(warm.advice == "Make it faster, or change its budget in launch-budgets.yml.")
    let setUp = try #require(findings.first { $0.subject == "set-up" })
    #expect(setUp.path.isEmpty && setUp.advice.hasSuffix("move it off the main thread."))
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

  /// It had 28 ms of CPU time in 7.8 ms. The recorder's counts are of the whole phase.
  @Test func aPhaseThatTheEndCutsHasNoCosts() throws {
    var launch = SampleLaunch(preinit: 100)
    launch.phase("set-up", from: 300, to: 900, cpu: 500)
    launch.phase("read", from: 350, to: 450, cpu: 80)
    launch.mark("ready", at: 600)
    let phase = try #require(timeline(launch).phases.last)
    #expect(phase.goesOn && phase.costs == nil)
    let inner = try #require(phase.children.first)
    #expect(!inner.goesOn && inner.costs?.cpu == 80)
  }

  /// What a server did for its clients was over budget, and a part of comparisons.
  @Test(arguments: [false, true]) func phasesBesideTheLaunchBeginInIt(isExtended: Bool) {
    var launch = SampleLaunch(preinit: 0)
    launch.phase("set-up", from: 0, to: 900)
    launch.mark("ready", at: 1000)
    if isExtended { launch.mark("fully-drawn", at: 3000) }
    let worker = launch.thread(5001, name: "worker")
    launch.phase("index", from: 500, to: 5000, on: worker)
    launch.phase("early", from: 600, to: 700, on: worker)
    launch.phase("late", from: 4000, to: 4500, on: worker)
    launch.phase("request", from: 2000, to: 2500, on: launch.thread(5002, name: "other"))
    launch.launcher(exit: 9000, budgets: "format\t1\nphase\trequest\t1\nphase\tlate\t1\n")
    let timeline = timeline(launch)
    #expect(timeline.parallelPhases.map(\.id) == ["index"] + (isExtended ? ["request"] : []))
    #expect(timeline.parallelPhases[0].children.map(\.id) == ["early"])
    // As a phase of the main thread that outlasts the launch.
    #expect(timeline.parallelPhases[0].goesOn && timeline.parallelPhases[0].end == timeline.end)
    #expect(timeline.record().line.contains("\"phase.index\":500,"))
    #expect(timeline.findings.contains { $0.subject == "request" } == isExtended)
    #expect(!timeline.findings.contains { $0.subject == "late" })
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

  /// On which thread it goes on after it was suspended is chance.
  @Test(arguments: [true, false]) func whereAPhaseGoesOnMakesNoDifference(isSameThread: Bool) {
    var launch = SampleLaunch(preinit: 100)
    launch.mark("main", at: 200)
    let (first, second) = (launch.thread(5000, name: "pool"), launch.thread(5001, name: "pool"))
    launch.async(
      "load-catalogue", from: 300, to: 700, lane: launch.lane(), began: first, ended: isSameThread ? first : second,
      category: "launchprof.phase")
    launch.mark("ready", at: 800)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(names(timeline).suffix(3) == ["main", "load-catalogue", "ready"])
    #expect(timeline.parallelPhases.isEmpty)
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

  /// Each had a finding, with the same advice.
  @Test func aPhaseThatIsOftenOverItsBudgetIsOneFinding() {
    var launch = SampleLaunch()
    for (start, end) in [(100, 300), (400, 900), (1000, 1200), (1300, 1310)] as [(Int64, Int64)] {
      launch.phase("again", from: start, to: end)
    }
    launch.mark("ready", at: 2_000)
    launch.launcher(exit: 2_000, budgets: "format\t1\nphase\tagain\t100\n")
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.phaseOverBudget }
    #expect(findings.map(\.occurrences) == [3] && findings.map(\.actual) == [500], "\(findings)")
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
}
