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
}
