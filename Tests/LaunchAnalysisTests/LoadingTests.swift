// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// The recorder's `load`, cut to the time of the loader.
struct LoadingTests {
  /// A program that executed this one also ran a loader. Its work has a place in `load` until this is cut.
  @Test func loadingIsCutBehindEarlierPrograms() {
    var launch = SampleLaunch()
    launch.loading()
    let screen = launch.lane("launch screen")
    launch.interval("launch screen", from: 0, to: 9_000, on: screen, category: "launchprof.screen")
    launch.phase("load", from: 0, to: 5_000)
    launch.interval("earlier", from: 1_000, to: 1_900)
    launch.interval("libc.so.6", from: 3_000, to: 3_500)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.phases.map(\.id) == ["exec", "load", "unattributed"])
    let load = timeline.phases[1]
    #expect(load.start == timeline.start + 2_000 && load.end == timeline.start + 5_000)
    let parents = Dictionary(
      uniqueKeysWithValues: (0..<timeline.spans.count).map {
        (timeline.trace.strings[StringID(rawValue: timeline.trace.slices.name[$0])], timeline.spans.parent[$0])
      })
    #expect(parents["earlier"] == -1 && parents["libc.so.6"] == load.slice.map(Int32.init))
    expectOrder(timeline)
  }

  /// The launcher added its stop to the start of the launch, but not to that of the screen, which began before the launch.
  @Test(arguments: [9_000, nil] as [Int64?]) func theLaunchScreenBeginsWithTheLaunch(end: Int64?) throws {
    var launch = SampleLaunch()
    launch.loading()
    let screen = launch.lane("launch screen")
    launch.async(
      "launch screen", from: -600, to: end, lane: screen, began: launch.main, ended: end.map { _ in launch.main },
      category: "launchprof.screen")
    launch.phase("load", from: -600, to: 5_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    let row = try #require((0..<timeline.spans.count).first { timeline.trace.name(ofSlice: $0) == "launch screen" })
    #expect(timeline.spans.start[row] == timeline.start)
    #expect(end == nil || timeline.spans.duration[row] == 9_000, "\(timeline.spans.duration[row])")
    expectOrder(timeline)
  }

  /// Nothing runs across the loader's start, but a broken trace may say so.
  @Test(arguments: [1_500, 2_500] as [Int64]) func workAcrossTheLoaderStaysInside(start: Int64) {
    var launch = SampleLaunch()
    launch.loading()
    launch.phase("load", from: 0, to: 5_000)
    launch.interval("early", from: start, to: 3_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    expectOrder(timeline)
    #expect(timeline.spans.duration.max() == (start < 2_000 ? 5_000 : 3_000))
  }

  private func expectOrder(_ timeline: LaunchTimeline) {
    let spans = timeline.spans
    #expect(zip(spans.start, spans.start.dropFirst()).allSatisfy { $0 <= $1 })
    #expect((0..<spans.count).allSatisfy { spans.parent[$0] < Int32($0) })
  }
}

extension SampleLaunch {
  /// A launch of 20 µs, ready after 9, whose loader began after 2.
  fileprivate mutating func loading() {
    recorder(preinit: 5_000)
    launcher(exit: 20_000)
    for (point, time) in [("exec", 100), ("loader-started", 2_000)] as [(String, Int64)] {
      instant(point, at: time, category: "launchprof.point")
    }
    mark("ready", at: 9_000)
  }
}
