// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// What recording cost the launch.
struct RecorderCostTests {
  /// A launch of 2 ms with intervals on eight threads, and some on the main thread after the launch.
  private func launch(intervals: Int64) -> LaunchTimeline {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, source: "launcher")
    for number in 0..<8 {
      let thread = launch.thread(100 + Int32(number), name: "worker \(number)")
      for at in 0..<intervals { launch.interval("work", from: 5000 + at * 100, to: 5050 + at * 100, on: thread) }
    }
    launch.mark("ready", at: 2_000_000)
    for at in 0..<200 { launch.interval("later", from: 2_000_100 + Int64(at), to: 2_000_101 + Int64(at)) }
    return LaunchTimeline(trace: launch.trace())
  }

  /// Threads record at the same time, so their costs do not add up to a delay. Together they may exceed the launch.
  @Test func threadsRecordAtTheSameTime() throws {
    let timeline = launch(intervals: 10_000)
    let cost = try #require(timeline.recorder)
    #expect(cost.busiestEvents == 20_000)
    #expect(cost.total > Double(timeline.total))
    #expect(cost.delay < Double(timeline.total))
    let finding = try #require(timeline.findings.first { $0.id == FindingName.recorderOverhead })
    #expect(finding.actual == 462_000)
    #expect(finding.evidence.last?.text == "20000 events of 19 ns on the busiest thread")
    // It is of the whole launch, and not of the phase in which the launch begins.
    #expect(finding.phase == nil)
  }

  @Test func whatComesAfterTheLaunchIsNotItsCost() throws {
    let cost = try #require(launch(intervals: 1).recorder)
    // The events `recorder` and `ready` of the main thread, and one interval of each other thread.
    #expect(cost.events == 18)
    #expect(cost.busiestEvents == 2)
  }

  /// Another process writes them.
  @Test func lookUpsAreNoEventsOfTheRecorder() {
    func events(lookups: Int64) -> Int? {
      var launch = SampleLaunch(preinit: 1000)
      for number in 0..<lookups { launch.lookup("app.Note", nil, from: 2000 + number * 10, to: 2005 + number * 10) }
      launch.mark("ready", at: 1_000_000)
      return LaunchTimeline(trace: launch.trace()).recorder?.events
    }
    #expect(events(lookups: 9) == events(lookups: 0))
  }

  /// A server goes on recording while it answers requests.
  @Test func theCostOfRecordingIsThatOfTheLaunch() {
    func cost(requests: Int64) -> (events: Int?, isFinding: Bool) {
      var launch = SampleLaunch(preinit: 1000)
      launch.interval("parse configuration", from: 1_000_000, to: 2_000_000)
      launch.interval("serve", from: 3_000_000, to: 900_000_000)
      launch.mark("ready", at: 10_000_000)
      for number in 0..<requests {
        launch.interval("request", from: 20_000_000 + number * 1000, to: 20_000_500 + number * 1000)
      }
      launch.launcher(exit: 1_000_000_000)
      let timeline = LaunchTimeline(trace: launch.trace())
      return (timeline.recorder?.events, timeline.findings.contains { $0.id == FindingName.recorderOverhead })
    }
    let (quiet, busy) = (cost(requests: 0), cost(requests: 20_000))
    #expect(quiet.events == busy.events && !busy.isFinding, "\(quiet) \(busy)")
  }
}
