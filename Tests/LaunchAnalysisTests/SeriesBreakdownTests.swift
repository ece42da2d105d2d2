// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// How the time of several launches divides into parts, and what the parts are called in all of them.
struct SeriesBreakdownTests {
  private let millisecond: Int64 = 1_000_000

  /// A function with one sample in less than half of the launches had the median 0, and disappeared.
  @Test func ofSeveralLaunchesSamplesHaveMeans() throws {
    let launches = LaunchSet(
      ([0, 10, 20] as [Int64]).map { extra in
        var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
        launch.samples(["main", "load"], from: 0, to: (10 + extra) * millisecond)
        if extra == 20 { launch.samples(["main", "rare"], from: 50 * millisecond, to: 60 * millisecond) }
        return LaunchTimeline(trace: launch.trace())
      })
    let breakdown = try #require(launches.breakdown(by: .symbol))
    #expect(breakdown.rows.first { $0.name == "load" }?.selfTime == 20 * millisecond)
    #expect(breakdown.rows.first { $0.name == "rare" }?.selfTime == 10 * millisecond / 3)
    #expect(breakdown.meansOf == 3 && breakdown.whole == 70 * millisecond / 3)
    let phases = launches.breakdown(by: .phase)
    #expect(phases?.meansOf == nil && phases?.whole == 100 * millisecond, "recorded times have medians")
  }

  /// Profiles without times count samples, and a mean below one became nothing.
  @Test func meansOfCountsKeepWhatFewLaunchesSaw() throws {
    let launches = LaunchSet(
      try (0..<5).map { number in
        let stacks = "main;work 10\n" + (number == 0 ? "main;rare 1\n" : "")
        let trace = try Array(stacks.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
        return LaunchTimeline(trace: trace)
      })
    let breakdown = try #require(launches.breakdown(by: .symbol))
    #expect(breakdown.rows.map { "\($0.name) \($0.selfTime) \($0.count)" } == ["work 10 10", "rare 1 1", "main 0 10"])
    #expect(breakdown.unit == "samples" && breakdown.whole == 10)
  }

  /// Their IDs differ in each launch. Each thread but the main one counted as absent in all launches but one.
  @Test func threadsOfSeveralLaunchesAreThoseOfOneNameAndPlace() {
    let launches = LaunchSet(
      ([5000, 6000, 7000] as [Int32]).map { first in
        var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
        for (place, name) in ["app", "app", "io #2", "io", "io"].enumerated() {
          let thread = launch.thread(first + Int32(place), name: name)
          launch.turn(from: 0, to: (Int64(place) + 1) * 10 * millisecond, on: thread, cpu: place)
        }
        return LaunchTimeline(trace: launch.trace())
      })
    let rows = launches.breakdown(by: .thread)?.rows.filter { $0.name != "main thread" } ?? []
    let times = rows.map { "\($0.name) \($0.selfTime / millisecond)" }
    #expect(times == ["io #3 50", "io 40", "io #2 30", "app #2 20", "app 10"])
    let alone = LaunchSet(Array(launches.launches.prefix(1).map(\.timeline))).breakdown(by: .thread)
    #expect(alone?.rows.contains { $0.name == "io (5004)" } == true)
  }

  /// It has other addresses in each launch, so that each address was in one launch only.
  @Test func codeThatWasCompiledAtRunTimeIsOneRowOfSeveralLaunches() {
    let launches = LaunchSet(
      ([0x1000, 0x2000, 0x3000] as [UInt64]).map { address in
        var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
        let code = SampleLaunch.Frame("", image: "/[compiled]", address: address)
        launch.samples(["main", code], from: 0, to: 20 * millisecond)
        let other = SampleLaunch.Frame("", image: "/lib/liba.so", address: 0x12)
        launch.samples(["main", other], from: 30 * millisecond, to: 35 * millisecond)
        return LaunchTimeline(trace: launch.trace())
      })
    let rows = launches.breakdown(by: .symbol)?.rows ?? []
    #expect(rows.map { "\($0.name) \($0.selfTime / millisecond)" } == ["[compiled] 20", "liba.so+0x12 5", "main 0"])
    #expect(LaunchSet([launches.launches[0].timeline]).breakdown(by: .symbol)?.rows.first?.name == "[compiled]+0x1000")
    let names = Measurement(launches.launches[0]).flame.keys.compactMap(\.last)
    #expect(names.contains("~[compiled]") && !names.contains { $0.contains("0x1000") }, "\(names)")
  }

  /// A launch of a few milliseconds has one sample or none. The times of samples and of intervals are not mixed.
  @Test func severalLaunchesCountSamplesOrIntervals() {
    func set(sampled: Int) -> Breakdown? {
      let launches = (0..<3).map { index in
        var launch = SampleLaunch(exit: 30 * millisecond, isInstrumented: false)
        launch.interval(
          "relocate", from: 2 * millisecond, to: 4 * millisecond, category: "launchprof.library",
          [("path", .string("/lib/libb.so"))])
        if index < sampled {
          launch.samples([.init("f", image: "/lib/liba.so")], from: 5 * millisecond, to: 6 * millisecond)
        }
        return LaunchTimeline(trace: launch.trace())
      }
      return LaunchSet(launches).breakdown(by: .library)
    }
    let few = set(sampled: 1)
    #expect(few?.counted == "intervals" && few?.shortcoming?.hasPrefix("computed from recorded intervals") == true)
    #expect(few?.rows.filter { $0.total > 0 }.map(\.name) == ["libb.so"])
    let most = set(sampled: 2)
    #expect(most?.counted == "samples" && most?.shortcoming == nil)
    #expect(most?.rows.filter { $0.total > 0 }.map(\.name) == ["liba.so"])
  }

  @Test func whatCouldNotBeReadIsMissing() throws {
    let text = #"{"traceEvents":[{"ph":"X","ts":1,"dur":9,"name":"a","pid":1,"tid":1},{"ph":"i","ts":5,"name":"q"}]"#
    let trace = try Array((text + "}").utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let timeline = LaunchTimeline(trace: trace)
    let ignored = "1 event ignored: instants of no track"
    #expect(LaunchSet([timeline]).breakdown(by: .phase)?.shortcoming?.hasSuffix(ignored) == true)
    let whole = LaunchTimeline(trace: SampleLaunch.held().trace())
    let both = LaunchSet([timeline, whole]).breakdown(by: .phase)
    #expect(both?.shortcoming?.hasSuffix(ignored + " (in 1 of 2 launches)") == true)
    #expect(LaunchSet([whole]).breakdown(by: .phase)?.shortcoming == nil)
  }
}
