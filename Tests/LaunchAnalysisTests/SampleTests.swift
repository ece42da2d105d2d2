// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Traces that have stack samples only.
struct SampleTests {
  @Test func samplesAreATree() {
    var builder = TraceBuilder(format: .folded)
    builder.trace.sampleUnit = "count"
    let main = builder.frame(caller: -1, function: builder.string("main"))
    let work = builder.frame(caller: main, function: builder.string("work"))
    let nameless = builder.frame(caller: main, function: .empty, image: builder.string("/lib/libc.so.6"), address: 0x1f)
    for (time, stack) in [main, work, work, nameless, -1].enumerated() {
      builder.sample(track: nil, time: Int64(time), stack: stack, weight: 10)
    }
    let flame = LaunchTimeline(trace: builder.finish()).flame
    #expect(flame.isSampled)
    #expect(flame.unit == "samples")
    let rows = (0..<flame.count).map {
      "\(flame.path(of: $0).joined(separator: ";")) \(flame.total[$0]) \(flame.selfTime(of: $0))"
    }
    #expect(
      rows == [
        "all samples 40 0", "all samples;main 40 10", "all samples;main;work 20 20",
        "all samples;main;libc.so.6+0x1f 10 10",
      ])
  }

  /// The last sample is a part of the launch, and the tree is no longer than the launch.
  @Test(arguments: [("ns", true), ("ns", false), ("count", false)])
  func samplesLastAsLongAsTheyWeigh(unit: String, hasTimes: Bool) {
    var builder = TraceBuilder(format: .folded)
    (builder.trace.sampleUnit, builder.trace.hasTimes) = (unit, hasTimes)
    let main = builder.frame(caller: -1, function: builder.string("main"))
    for time in [0, 10, 20] as [Int64] { builder.sample(track: nil, time: time, stack: main, weight: 10) }
    let timeline = LaunchTimeline(trace: builder.finish())
    #expect(timeline.total == 30 && timeline.flame.total[0] == 30)
  }

  /// The launch of a child process: its parent ran before it, too, and had 300 % of it.
  @Test func samplesBeforeTheLaunchAreNotPartOfIt() {
    let millisecond: Int64 = 1_000_000
    var launch = SampleLaunch()
    let parent = launch.builder.thread(99, ofProcess: 99, name: "runner")
    launch.recorder(preinit: 0)
    launch.mark("ready", at: 10 * millisecond)
    launch.samples(["main", "prepare"], from: -30 * millisecond, to: 4 * millisecond, on: parent)
    let flame = LaunchTimeline(trace: launch.trace()).sampleFlame
    let row = flame.flatMap { flame in (0..<flame.count).first { flame.name(of: $0) == "prepare" } }
    #expect(row.map { flame?.total[$0] } == 4 * millisecond)
  }

  /// A trace that ends in the middle of work, at a sample: the main thread had 101 % of it.
  @Test func theLastSampleIsInWorkThatNeverEnded() {
    var launch = SampleLaunch(preinit: 0)
    launch.phase("load", from: 0, to: nil)
    launch.samples(["main", "parse"], from: 0, to: 30_000_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.total == 29_500_000)
    #expect(timeline.mergedFlame.roots.map { timeline.mergedFlame.total[$0] } == [29_500_000])
  }

  @Test func foreignTracesMakeSense() throws {
    for foreign in try SharedData.foreignTraces() {
      let timeline = LaunchTimeline(trace: try TraceReader().read(path: foreign.path))
      expectTiling(timeline)
      #expect(timeline.isComplete, "\(foreign)")
      #expect(timeline.phases.count == 1, "\(foreign)")
      let events = timeline.trace.slices.count + timeline.trace.samples.count
      #expect((timeline.flame.count > 0) == (events > 0), "\(foreign)")
      #expect(timeline.flame.roots.allSatisfy { timeline.flame.total[$0] >= 0 })
    }
  }
}
