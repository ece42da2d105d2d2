// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Launches that RandomLaunch found.
@Suite struct OddLaunchTests {
  private let millisecond: Int64 = 1_000_000

  /// The start of the process is an estimate, and a milestone can come before it.
  @Test func aMilestoneBeforeTheStartIsAtTheStart() {
    var launch = SampleLaunch(exit: 20 * millisecond)
    launch.mark("listening", at: -3 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.milestones.first { $0.id == "listening" }?.time == timeline.start)
  }

  /// What is inside a phase is in the order of time, also if initialisers ran between other phases.
  @Test func initializersAreInTheOrderOfTime() throws {
    var launch = SampleLaunch(preinit: millisecond)
    launch.phase("open-database", from: 2 * millisecond, to: 18 * millisecond)
    launch.phase("layout", from: 10 * millisecond, to: 12 * millisecond)
    launch.initializer("libx initializer", image: "/lib/libx.so", from: 4 * millisecond, to: 5 * millisecond)
    launch.mark("ready", at: 20 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let phase = try #require(timeline.phases.first { $0.id == "open-database" })
    #expect(phase.children.map(\.id) == ["libx initializer", "layout"])
  }

  /// The first sample stands for a time of which a part is before the launch.
  @Test func aFunctionDoesNotBeginBeforeTheLaunch() throws {
    var launch = SampleLaunch(exit: 100 * millisecond)
    launch.samples(["main", "load()"], from: -5 * millisecond, to: 90 * millisecond, every: 20 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let first = try #require(timeline.inferredSpans.first)
    #expect(first.start == timeline.start)
  }

  /// A set-up that finds at once that nothing is to do did not do it again.
  @Test(arguments: [0, 1] as [Int64]) func aSetUpWithoutTimeIsNotRepeated(duration: Int64) {
    var launch = SampleLaunch(preinit: millisecond)
    launch.metadata([("kind", .string("warm"))])
    launch.phase("one-time-setup", from: 2 * millisecond, to: 2 * millisecond + duration)
    launch.mark("ready", at: 20 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.contains { $0.id == FindingName.oneTimeSetupRepeated } == (duration > 0))
  }

  // MARK: Loading

  /// The libraries of a recorded `load` are between the phases in it. They came after them.
  @Test func librariesAreInTheOrderOfTime() throws {
    var launch = SampleLaunch(exit: 20 * millisecond)
    for (point, time) in [("exec", 0), ("loader-started", 1), ("relocated", 10), ("main", 12)] as [(String, Int64)] {
      launch.instant(point, at: time * millisecond, category: "launchprof.point")
    }
    for (library, time) in [("libw", 3), ("libx", 5), ("liby", 6), ("libz", 8)] as [(String, Int64)] {
      launch.instant(
        "map", at: time * millisecond, category: "launchprof.library", [("path", .string("/lib/\(library).so"))])
    }
    launch.phase("load", from: millisecond, to: 9 * millisecond)
    launch.phase("layout", from: 4 * millisecond, to: 7 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let load = try #require(timeline.phases.first { $0.id == "load" && $0.slice != nil })
    #expect(load.children.map(\.id) == ["libw.so", "libx.so", "layout", "libz.so"])
    #expect(load.children[2].children.map(\.id) == ["liby.so"])
  }

  // MARK: Before the launch

  /// A launch that another tool recorded. It has events from before its start.
  private func launch(from start: Int64) -> SampleLaunch {
    var launch = SampleLaunch()
    launch.mark("process-start", at: start)
    launch.mark("ready", at: 50 * millisecond)
    return launch
  }

  @Test func aParallelPhaseBeginsInTheLaunch() {
    var launch = launch(from: 2 * millisecond)
    launch.phase("layout", from: 4 * millisecond, to: 6 * millisecond)
    launch.phase("open-database", from: 0, to: 8 * millisecond, on: launch.thread(4712, name: "worker"))
    launch.phase("unpack", from: 0, to: millisecond, on: launch.thread(4713, name: "worker"))
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.start == launch.origin + 2 * millisecond)
    #expect(timeline.parallelPhases.map(\.id) == ["open-database"])
    #expect(timeline.parallelPhases.first?.start == timeline.start)
    #expect(timeline.parallelPhases.first?.duration == 6 * millisecond)
  }

  /// A budget by name limits the whole interval. The default one, 16 ms, limits its part in the launch.
  @Test func anIntervalFromBeforeTheLaunchIsFoundAtItsStart() throws {
    func finding(of duration: Int64, named budget: Int64? = nil) -> (LaunchTimeline, Finding?) {
      var launch = launch(from: 2 * millisecond)
      launch.interval("parse", from: 0, to: duration)
      var budgets = Budgets.standard
      budgets.intervals["parse"] = budget
      let timeline = LaunchTimeline(trace: launch.trace(), budgets: budgets)
      return (timeline, timeline.findings.first { $0.id == FindingName.mainThreadOverBudget })
    }
    #expect(finding(of: 17 * millisecond).1 == nil)
    for (budget, time) in [(nil, 28), (20 * millisecond, 30)] as [(Int64?, Int64)] {
      let (timeline, found) = finding(of: 30 * millisecond, named: budget)
      let finding = try #require(found)
      #expect(finding.start == timeline.start)
      #expect(finding.actual == time * millisecond)
    }
  }

  @Test func anOpeningAndATaskBeginInTheLaunch() throws {
    var launch = launch(from: 2 * millisecond)
    launch.interval(
      "dlopen", from: 0, to: 30 * millisecond, category: "launchprof.library", [("path", .string("/lib/libx.so"))])
    launch.interval(
      "index", from: millisecond, to: 10 * millisecond, on: launch.thread(4712, name: "worker"),
      category: "launchprof.launch-task")
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.dlopenAtLaunch })
    #expect(finding.start == timeline.start && finding.actual == 28 * millisecond)
    #expect(timeline.libraries.openings.map(\.start) == [timeline.start])
    let task = try #require(timeline.taskSchedule?.tasks.first)
    #expect(task.piece.start == timeline.start && task.piece.duration == 8 * millisecond)
  }

  // MARK: Samples

  /// A thread that has only samples without a stack began at time 0 of the clock.
  @Test func aThreadWithoutStacksIsInTheLaunch() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("ready", at: 20 * millisecond)
    launch.interval("parse", from: 2 * millisecond, to: 8 * millisecond)
    launch.samples([], from: 10 * millisecond, to: 12 * millisecond, on: launch.thread(4712, name: "worker"))
    let timeline = LaunchTimeline(trace: launch.trace())
    let merged = timeline.mergedFlame
    #expect(merged.roots.count == 2)
    for root in merged.roots {
      #expect(timeline.window.contains(merged.start[root]) && timeline.window.contains(merged.end[root]))
    }
  }
}
