// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// What a trace lacks: events that found no room, and what nobody recorded.
struct MissingRecordTests {
  private func timeline(_ launch: SampleLaunch) -> LaunchTimeline { LaunchTimeline(trace: launch.trace()) }

  private func names(_ timeline: LaunchTimeline) -> [String] { timeline.phases.map(\.id) }

  /// The trace of a server was full long after its launch.
  @Test(arguments: [(requests: Int64(100), isMissing: true), (70_000, false)])
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

  /// What the advice names must have an effect: a program that calls `LaunchProfiler.start` does not read the variable.
  @Test(arguments: [("launcher", "Raise LAUNCHPROF_LIMIT,"), ("estimated", "LaunchProfiler.start")])
  func missingEventsHaveTheAdviceOfTheirRecording(source: String, advice: String) {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, source: source, dropped: 7)
    launch.mark("ready", at: 2000)
    let finding = timeline(launch).findings.first { $0.id == FindingName.eventsDropped }
    #expect(finding?.advice.contains(advice) == true, "\(finding?.advice ?? "none")")
  }

  /// Nobody knows when it ended.
  @Test(arguments: [0, 7]) func workWhoseEndIsLostHasNoBudget(dropped: Int) {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, dropped: dropped)
    launch.phase("load-index", from: 2000, to: nil)
    launch.interval("many", from: 3000, to: nil)
    launch.mark("ready", at: 90_000_000)
    launch.launcher(exit: 100_000_000, budgets: "phase\tload-index\t1000000\n")
    let timeline = timeline(launch)
    let isKnown = dropped == 0
    #expect(timeline.findings.contains { $0.subject == "many" } == isKnown)
    #expect(timeline.phases.contains { $0.overBudget > 0 } == isKnown)
    #expect(Savings([timeline]).savings.contains { $0.subject == "many" } == isKnown)
    #expect("\(timeline.record())".contains("over.many") == isKnown)
  }

  /// Names of spans may contain what a user entered.
  @Test func aRecordHasNoNamesOfSpans() {
    var launch = SampleLaunch()
    launch.interval("GET /users/alice", from: 3000, to: 60_000_000, category: "tracing/client")
    launch.interval("parse", from: 60_000_000, to: 89_000_000)
    launch.mark("ready", at: 90_000_000)
    launch.launcher(exit: 100_000_000)
    let record = "\(timeline(launch).record())"
    #expect(record.contains("over.parse") && !record.contains("alice"), "\(record)")
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
}
