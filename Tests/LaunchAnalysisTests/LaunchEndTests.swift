// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Of what goes on after the launch, or after a milestone, only the part before it counts.
struct LaunchEndTests {
  private static let millisecond: Int64 = 1_000_000

  private func findings(ready: Int64, budgets: String? = nil, _ fill: (inout SampleLaunch) -> Void) -> [Finding] {
    var launch = SampleLaunch(preinit: 100_000)
    launch.mark("main", at: Self.millisecond)
    launch.mark("ready", at: ready * Self.millisecond)
    fill(&launch)
    launch.launcher(exit: 500 * Self.millisecond, budgets: budgets)
    return LaunchTimeline(trace: launch.trace()).findings
  }

  private func spans(_ finding: Finding?) -> [String] {
    finding?.evidence.filter { $0.kind == .span }.map { "\($0.text) \(($0.time ?? 0) / Self.millisecond)" } ?? []
  }

  /// It named what began after the launch, and not what took its time.
  @Test func theEvidenceOfAnEventLoopIsFromTheLaunch() {
    let found = findings(ready: 30) { launch in
      launch.interval("run", from: 2 * Self.millisecond, to: 400 * Self.millisecond)
      launch.interval("prepare", from: 3 * Self.millisecond, to: 26 * Self.millisecond)
      launch.interval("accept", from: 27 * Self.millisecond, to: 50 * Self.millisecond)
      launch.interval("serve", from: 60 * Self.millisecond, to: 390 * Self.millisecond)
    }.first { $0.id == FindingName.mainThreadOverBudget }
    #expect(found?.subject == "run" && spans(found) == ["prepare 23", "accept 3"], "\(String(describing: found))")
  }

  /// A server may compute in an initialiser of a plug-in, after it listens.
  @Test(arguments: [(29_900, nil), (20_000, 10_000_000)] as [(Int64, Int64?)])
  func anOpeningCountsUntilTheEnd(start: Int64, time: Int64?) {
    let found = findings(ready: 30) { launch in
      launch.interval(
        "dlopen", from: start * 1000, to: 400 * Self.millisecond, category: "launchprof.library",
        [("path", .array([.string("/app/plugin.so")]))])
    }.first { $0.id == FindingName.dlopenAtLaunch }
    #expect(found?.actual == time && found?.evidence.first?.time == time)
  }

  @Test func waitsOfARelocationAfterTheLaunchDoNotCount() {
    let found = findings(ready: 50) { launch in
      launch.interval(
        "relocate", from: 10 * Self.millisecond, to: 200 * Self.millisecond, category: "launchprof.library",
        [("path", .string("/app/plugin.so"))])
      launch.pause(from: 60 * Self.millisecond, to: 190 * Self.millisecond)
    }.first { $0.id == FindingName.relocationHeavyLibrary }
    #expect(found?.actual == 40 * Self.millisecond)
  }

  @Test func aMilestoneIsLateForWhatCameBeforeIt() {
    let found = findings(ready: 331, budgets: "milestone\tdatabase-open\t10000000\ninterval\t*\t1000000000") { launch in
      launch.interval("open database", from: 2 * Self.millisecond, to: 32 * Self.millisecond)
      launch.mark("database-open", at: 33 * Self.millisecond)
      launch.interval("draw", from: 33 * Self.millisecond, to: 330 * Self.millisecond)
    }.first { $0.id == FindingName.milestoneOverBudget }
    #expect(spans(found).first?.hasSuffix("> open database 32") == true, "\(String(describing: found))")
  }

  @Test func fullyDrawnIsLateForWhatCameAfterTheLaunch() {
    let found = findings(ready: 10, budgets: "milestone\tfully-drawn\t50000000") { launch in
      launch.mark("fully-drawn", at: 110 * Self.millisecond)
    }.first { $0.id == FindingName.milestoneOverBudget }
    #expect(spans(found).first == "extended 100", "\(String(describing: found))")
  }

  @Test func theStatesOfALazyGlobalAreFromTheLaunch() {
    let found = findings(ready: 100) { launch in
      launch.global("app.all", from: 10 * Self.millisecond, to: 400 * Self.millisecond, token: 1)
      launch.pause(from: 150 * Self.millisecond, to: 350 * Self.millisecond)
    }.first { $0.id == FindingName.slowLazyGlobal }
    let times = found?.evidence.filter { $0.kind == .state }.compactMap(\.time) ?? []
    #expect(!times.isEmpty && times.reduce(0, +) <= 90 * Self.millisecond, "\(String(describing: found))")
  }

  /// Work that goes on after the first frame delays it only by its part before.
  @Test func whatCouldBeDeferredCountsUntilTheFirstFrame() {
    var launch = SampleLaunch(preinit: 100_000)
    launch.phase("create-application", from: Self.millisecond, to: 2 * Self.millisecond)
    launch.phase("did-finish-launching", from: 10 * Self.millisecond, to: 300 * Self.millisecond)
    launch.interval("index", from: 20 * Self.millisecond, to: 200 * Self.millisecond)
    launch.interval("late", from: 210 * Self.millisecond, to: 290 * Self.millisecond)
    launch.mark("first-frame", at: 100 * Self.millisecond)
    let work = LaunchTimeline(trace: launch.trace()).deferrableWork
    #expect(work.map(\.name) == ["index"] && work.map(\.duration) == [80 * Self.millisecond])
  }

  @Test func aRivalCountsUntilTheEnd() {
    let found = findings(ready: 100) { launch in
      let worker = launch.thread(4720, name: "worker")
      launch.mark("fully-drawn", at: 400 * Self.millisecond)
      launch.turn(from: 20 * Self.millisecond, to: 300 * Self.millisecond, on: worker, cpu: 0)
      launch.pause(from: 20 * Self.millisecond, to: 300 * Self.millisecond, .preempted)
    }.first { $0.id == FindingName.cpuContention }
    #expect(found?.actual == 80 * Self.millisecond && found?.evidence.first?.time == 80 * Self.millisecond)
  }

  @Test func aWaitForAProcessorIsPlacedInTheLaunch() {
    let found = findings(ready: 100) { launch in
      launch.mark("fully-drawn", at: 400 * Self.millisecond)
      launch.pause(from: 20 * Self.millisecond, to: 60 * Self.millisecond, .preempted)
      launch.pause(from: 150 * Self.millisecond, to: 350 * Self.millisecond, .preempted)
    }.first { $0.id == FindingName.mainThreadRunnable }
    #expect(found?.start == 1_020_000_000 && found?.actual == 40 * Self.millisecond)
  }

  /// The launcher reads the clocks again when the program ends.
  @Test(arguments: [(200, false), (20, true)] as [(Int64, Bool)])
  func aSleepAfterTheLaunchDoesNotSuspendIt(slept: Int64, isSuspended: Bool) {
    let found = findings(ready: 100) { launch in
      let origin = launch.origin
      launch.builder.trace.clockSnapshots = [0, 101, 500].map { (time: Int64) in
        let monotonic = origin + time * Self.millisecond
        return ClockSnapshot(readings: [3: monotonic, 6: monotonic + (time > slept ? 3_600_000_000_000 : 0)])
      }
    }
    #expect(found.contains { $0.id == FindingName.suspended } == isSuspended)
  }

  /// Perfetto's traces are on CLOCK_BOOTTIME, which is ahead of CLOCK_MONOTONIC once the machine has slept.
  @Test(arguments: [0, 20_000]) func aSleepIsFoundInATraceOnBoottime(slept: Int64) throws {
    let found = findings(ready: 30_000) { launch in
      let origin = launch.origin
      launch.builder.trace.clockSnapshots = [0, 30_001].map { (time: Int64) in
        let before = 3_600_000 + (time > 0 ? slept : 0)
        return ClockSnapshot(readings: [
          3: origin + (time - before) * Self.millisecond, 6: origin + time * Self.millisecond,
        ])
      }
    }.filter { $0.id == FindingName.suspended }
    #expect(found.map(\.actual) == (slept > 0 ? [slept * Self.millisecond] : []))
  }

  /// Work that a program did after it was ready was the first finding, with the advice to defer it.
  @Test func workAfterTheLaunchComesLast() {
    let found = findings(ready: 40, budgets: "interval\t*\t16000000\ninterval\twarm up\t16000000") { launch in
      launch.interval("listen", from: 10 * Self.millisecond, to: 30 * Self.millisecond)
      launch.interval("warm up", from: 45 * Self.millisecond, to: 95 * Self.millisecond)
      launch.mark("fully-drawn", at: 100 * Self.millisecond)
    }.filter { $0.id == FindingName.mainThreadOverBudget }
    #expect(found.map(\.subject) == ["listen", "warm up"])
    #expect(found.last?.advice.hasPrefix("It runs after the launch") == true, "\(found)")
    #expect(found.first?.advice.contains("defer") == true)
  }

  /// As for an interval. The same work had a finding only without one.
  @Test(arguments: ["interval\t*\t16000000", "interval\t*\t16000000\ninterval\twarm\t16000000"])
  func sampledWorkAfterTheLaunchNeedsABudgetByName(budgets: String) {
    let found = findings(ready: 40, budgets: budgets) { launch in
      launch.samples(["main", "warm"], from: 45 * Self.millisecond, to: 95 * Self.millisecond)
      launch.mark("fully-drawn", at: 100 * Self.millisecond)
    }.filter { $0.id == FindingName.mainThreadOverBudget }
    #expect(found.map(\.subject) == (budgets.contains("warm") ? ["warm"] : []), "\(found)")
  }

  /// A function that goes on after the launch counts like an interval that does.
  @Test(arguments: [("interval\t*\t16000000", 30), ("interval\t*\t16000000\ninterval\twarm\t16000000", 50)])
  func sampledWorkAcrossTheEndIsCutThere(budgets: String, milliseconds: Int64) {
    let found = findings(ready: 40, budgets: budgets) { launch in
      launch.samples(["main", "warm"], from: 10 * Self.millisecond, to: 60 * Self.millisecond)
      launch.mark("fully-drawn", at: 100 * Self.millisecond)
    }.filter { $0.id == FindingName.mainThreadOverBudget }
    #expect(found.map { ($0.actual + Self.millisecond / 2) / Self.millisecond } == [milliseconds], "\(found)")
  }

  /// `record --enforce` failed for work that the launch did not need, and for an event loop until the program was fully drawn.
  @Test(arguments: [nil, 100] as [Int64?]) func budgetsWithoutANameEndWithTheLaunch(fullyDrawn: Int64?) {
    let budgets = "interval\t*\t16000000\nphase\t*\t16000000\nphase\tlate\t16000000"
    let found = findings(ready: 40, budgets: budgets) { launch in
      launch.interval("run", from: 30 * Self.millisecond, to: 95 * Self.millisecond)
      launch.interval("warm up", from: 45 * Self.millisecond, to: 95 * Self.millisecond)
      launch.phase("later", from: 45 * Self.millisecond, to: 70 * Self.millisecond)
      launch.phase("late", from: 70 * Self.millisecond, to: 95 * Self.millisecond)
      if let fullyDrawn { launch.mark("fully-drawn", at: fullyDrawn * Self.millisecond) }
    }.filter { $0.id.hasSuffix("over-budget") && ["run", "warm up", "later", "late", "extended"].contains($0.subject) }
    #expect(found.map(\.subject) == (fullyDrawn == nil ? [] : ["late"]), "\(found)")
  }

  /// The program's own record had no such entry.
  @Test(arguments: [false, true]) func aTaskHasOnlyABudgetByName(isNamed: Bool) {
    var launch = SampleLaunch(preinit: 100_000)
    launch.interval("feed", from: 10 * Self.millisecond, to: 50 * Self.millisecond, category: "launchprof.task")
    launch.mark("ready", at: 60 * Self.millisecond)
    launch.launcher(
      exit: 500 * Self.millisecond, budgets: "interval\t*\t16000000" + (isNamed ? "\ninterval\tfeed\t20000000" : ""))
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.spans.flags.contains { $0.contains(.overBudget) } == isNamed)
  }

  /// The program ended at 60 ms, the kernel needed `cpu` - 60 ms to remove it, and the launcher saw that at 100 ms. It was unknown,
  /// and no finding said why the launch was long.
  @Test(arguments: [(65, 35), (99, 1), (100, 0)] as [(Int64, Int64)])
  func timeAfterTheProgramIsAWaitForAProcessor(cpu: Int64, late: Int64) throws {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * Self.millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(UInt64(cpu * Self.millisecond))), ("system_cpu_ns", .uint(0))])
    launch.instant("main", at: 2 * Self.millisecond, category: "launchprof.point", [("source", .string("breakpoint"))])
    launch.pause(from: 10 * Self.millisecond, to: 10 * Self.millisecond + 1)
    launch.switched(.init(.exited, at: 60 * Self.millisecond, on: launch.main, cpu: 0))
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect((timeline.exitDelay + Self.millisecond / 2) / Self.millisecond == late)
    let finding = timeline.findings.first { $0.id == FindingName.mainThreadRunnable }
    #expect((finding != nil) == (late > 30))
    #expect(finding?.advice.hasPrefix("The program's threads had ended") != false)
  }

  /// ssh: 3 of 11 ms were before any thread had ended, and the advice seemed to be about all of them.
  @Test func timeAfterTheProgramIsAPartOfItsWaits() throws {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * Self.millisecond, isInstrumented: false,
      [("user_cpu_ns", .uint(UInt64(50 * Self.millisecond))), ("system_cpu_ns", .uint(0))])
    launch.instant("main", at: 2 * Self.millisecond, category: "launchprof.point", [("source", .string("breakpoint"))])
    launch.pause(from: 10 * Self.millisecond, to: 20 * Self.millisecond, .preempted)
    launch.switched(.init(.exited, at: 60 * Self.millisecond, on: launch.main, cpu: 0))
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.actual == timeline.exitDelay + 10 * Self.millisecond)
    #expect(finding.advice.hasPrefix("80 % of it: The program's threads had ended."), "\(finding.advice)")
  }
}
