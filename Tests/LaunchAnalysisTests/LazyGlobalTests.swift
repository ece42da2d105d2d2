// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// Lazy globals of a launch: what they took, who waited, and what is said of them.
struct LazyGlobalTests {
  static let millisecond: Int64 = 1_000_000

  private func timeline(
    total: Int64 = 100, callCost: Int64 = 2_000, insideCost: Int64 = 500, _ fill: (inout SampleLaunch) -> Void
  ) -> LaunchTimeline {
    var launch = SampleLaunch()
    launch.launcher(
      exit: total * Self.millisecond,
      [
        ("observer", .string("perf")), ("globals", .string("uprobes")),
        ("globals_call_cost_ns", .uint(UInt64(callCost))), ("globals_inside_cost_ns", .uint(UInt64(insideCost))),
      ])
    fill(&launch)
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func timesAreWithoutTheProbes() throws {
    let table = timeline { launch in
      launch.global("app.A.all", from: 10 * Self.millisecond, to: 30 * Self.millisecond, token: 1)
      launch.global("app.B.all", from: 12 * Self.millisecond, to: 22 * Self.millisecond, token: 2)
      launch.global(
        "swift::initialize(void*)", image: "/opt/swift/libswiftCore.so", from: 13_000_000, to: 13_000_400, token: 3)
    }.lazyGlobals
    #expect(table.globals.map(\.name) == ["app.A.all", "app.B.all", "swift::initialize(void*)"])
    #expect(table.globals.map(\.owner) == [.program, .program, .language])
    // Its own records, and those of the two that are inside.
    #expect(table.globals[0].duration == 20_000_000 - 500 - 2 * 2_000)
    #expect(table.globals[0].selfTime == 10_000_000 - 500 - (2_000 - 500))
    #expect(table.globals[1].selfTime == 10_000_000 - 500 - 2_000, "what is inside takes no less than nothing")
    #expect(table.globals[2].duration == 0, "what took less than its probe")
    #expect(table.cost == 3 * 2_000)
    #expect(table.globals[0].module == "app" && table.globals[0].isOnMainThread)
    #expect(table.globals[0].askers == ["app.main() -> ()"], "the accessor asks for nobody")
  }

  /// The time of one thread's wait is no work of its own: the times add up to what was worked.
  @Test func aWaitIsNoWork() throws {
    let timeline = timeline { launch in
      let worker = launch.thread(5000, name: "worker")
      launch.global("app.Outer.all", from: 10 * Self.millisecond, to: 70 * Self.millisecond, on: worker, token: 1)
      launch.global("app.Inner.all", from: 40 * Self.millisecond, to: 70 * Self.millisecond, on: worker, token: 2)
      launch.global(
        "app.Outer.all", from: 20 * Self.millisecond, to: 70 * Self.millisecond, token: 1, isWait: true)
    }
    let table = timeline.lazyGlobals
    #expect(table.globals.map(\.name) == ["app.Outer.all", "app.Inner.all"])
    let outer = try #require(table.globals.first)
    #expect(outer.thread == "worker (5000)" && !outer.isOnMainThread)
    #expect(outer.waiters.map(\.thread) == ["main thread"])
    #expect(abs(outer.waiters[0].duration - 50 * Self.millisecond) < 10_000)
    #expect(abs(table.total(of: .program) - 60 * Self.millisecond) < 10_000)
    let finding = try #require(timeline.findings.first { $0.id == FindingName.lazyGlobalContended })
    #expect(finding.subject == "app.Outer.all" && abs(finding.actual - 50 * Self.millisecond) < 10_000)
    #expect(finding.advice.contains("main thread waited while worker (5000) initialised it"))
    #expect(!timeline.findings.contains { $0.id == FindingName.slowLazyGlobal }, "it was slow on another thread")
  }

  @Test(arguments: [(11, true), (9, false)]) func aTenthOfTheLaunchIsAFinding(time: Int64, isFound: Bool) throws {
    let timeline = timeline { launch in
      launch.global("app.Catalogue.all", from: Self.millisecond, to: (1 + time) * Self.millisecond, token: 1)
    }
    let finding = timeline.findings.first { $0.id == FindingName.slowLazyGlobal }
    #expect((finding != nil) == isFound)
    #expect(!timeline.findings.contains { $0.id == FindingName.mainThreadOverBudget })
    guard let finding else { return }
    #expect(finding.subject == "app.Catalogue.all" && finding.expected == 10 * Self.millisecond)
    #expect(finding.evidence.contains { $0.kind == .stack && $0.text == "app.main() -> ()" })
  }

  /// Other programs had the processor; a short launch; a long one.
  @Test func whatIsNotItsFaultIsNoFinding() {
    let paused = timeline { launch in
      launch.global("app.A.all", from: Self.millisecond, to: 15 * Self.millisecond, token: 1)
      launch.pause(from: 2 * Self.millisecond, to: 12 * Self.millisecond, .preempted)
    }
    #expect(!paused.findings.contains { $0.id == FindingName.slowLazyGlobal })
    // The section above had the time of the wait, too.
    let shown = paused.lazyGlobals.globals.map(\.selfTime)
    #expect(shown == [3_999_500])
    let short = timeline(total: 4) { $0.global("app.A.all", from: 1_000_000, to: 1_900_000, token: 1) }
    #expect(!short.findings.contains { $0.id == FindingName.slowLazyGlobal })
    let long = timeline(total: 1000) { $0.global("app.A.all", from: 1_000_000, to: 18_000_000, token: 1) }
    #expect(long.findings.first { $0.id == FindingName.slowLazyGlobal }?.expected == 16_000_000)
  }

  @Test func withoutSymbolsNobodyKnowsWhoseItIs() {
    let table = timeline { launch in
      launch.global("notes-server+0x12a0", from: 1_000_000, to: 2_000_000, token: 1)
      launch.global("libswiftCore.so+0x1", image: "/opt/libswiftCore.so", from: 3_000_000, to: 4_000_000, token: 2)
    }.lazyGlobals
    #expect(table.globals.map(\.owner) == [.unknown, .language])
    #expect(
      timeline { _ in }.lazyGlobals.means != nil
        && LaunchTimeline(trace: SampleLaunch.server().trace()).lazyGlobals.means == nil)
  }

  @Test func comparisonsNameWhatIsNew() throws {
    func measurement(_ names: [String]) -> Measurement {
      let timeline = timeline { launch in
        for (place, name) in names.enumerated() {
          let start = Int64(10 * place + 1) * Self.millisecond
          launch.global(name, from: start, to: start + Int64(place + 1) * Self.millisecond, token: UInt64(place))
        }
      }
      return Measurement.all(LaunchSet([timeline]))[0]
    }
    let comparison = LaunchComparison(
      base: [measurement(["app.A.all"])], head: [measurement(["app.A.all", "app.B.all", "app.Catalogue.all"])],
      options: ComparisonOptions())
    let exact = try #require(comparison.exact.first { $0.metric == .lazyGlobals })
    #expect(exact.base == 1 && exact.head == 3 && !exact.isRegression)
    #expect(exact.added == ["app.Catalogue.all", "app.B.all"], "the longest first")
    #expect(abs((exact.times["app.Catalogue.all"] ?? 0) - 3 * Self.millisecond) < 10_000)
    var options = ComparisonOptions()
    options.exact[.lazyGlobals] = 1
    let gate = LaunchComparison(base: comparison.base, head: comparison.head, options: options)
    #expect(gate.exact.first { $0.metric == .lazyGlobals }?.isRegression == true)
    #expect(!comparison.parts.contains { $0.metric.group == .interval })
    // A limit that the user set is not passed over in silence.
    #expect(options.exact.unchecked(in: comparison).isEmpty && ExactAllowances().unchecked(in: comparison).isEmpty)
    let unwatched = LaunchComparison(
      base: Measurement.all(LaunchSet([timeline { _ in }])).map { launch in
        var launch = launch
        launch.globals = nil
        return launch
      }, head: comparison.head, options: options)
    #expect(
      options.exact.unchecked(in: unwatched).map(\.sentence) == [
        "more: lazy-globals was not checked: launch both sides with --detail globals"
      ])
  }
}
