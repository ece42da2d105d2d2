// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

struct FlameTreeTests {
  /// A launch with random nested intervals on several threads and lanes.
  static func random(_ random: inout SeededGenerator, names: [String]) -> SampleLaunch {
    var launch = SampleLaunch()
    if Bool.random(using: &random) { launch.recorder(preinit: .random(in: 0...100, using: &random)) }
    if Bool.random(using: &random) { launch.mark("main", at: .random(in: 100...200, using: &random)) }
    if Bool.random(using: &random) { launch.mark("ready", at: .random(in: 0...1200, using: &random)) }
    func nest(_ from: Int64, _ to: Int64, _ depth: Int, _ track: TrackID) {
      var time = from
      while depth < 6, time <= to, Int.random(in: 0...3, using: &random) > 0 {
        let start = Int64.random(in: time...to, using: &random)
        let end = Int64.random(in: start...to, using: &random)
        let name = names.randomElement(using: &random) ?? ""
        if Int.random(in: 0...4, using: &random) == 0 {
          launch.phase(name, from: start, to: end, on: track)
        } else {
          launch.interval(name, from: start, to: end, on: track)
        }
        nest(start, end, depth + 1, track)
        time = end + 1
      }
    }
    for thread in 0..<Int32.random(in: 0...3, using: &random) {
      nest(0, 1000, 0, launch.thread(6000 + thread, name: "worker \(thread)"))
    }
    nest(0, 1000, 0, launch.main)
    let lane = launch.lane()
    if Bool.random(using: &random) {
      launch.async(
        "async", from: .random(in: 0...500, using: &random), to: .random(in: 500...900, using: &random), lane: lane,
        began: launch.main, ended: launch.main)
    }
    return launch
  }

  /// The launch may end inside an interval, such as the event loop. The tree then had no `main`.
  @Test func anIntervalThatOutlastsTheLaunchIsInItsPhase() {
    var launch = SampleLaunch(preinit: 1_000)
    launch.mark("main", at: 2_000)
    launch.interval("event loop", from: 7_000, to: 20_000)
    launch.mark("ready", at: 10_000)
    let flame = LaunchTimeline(trace: launch.trace()).flame
    let rows = (0..<flame.count).map { "\(flame.path(of: $0).joined(separator: ";")) \(flame.total[$0])" }
    #expect(rows.contains("main thread;main 8000") && rows.contains("main thread;main;event loop 3000"), "\(rows)")
    #expect(rows.contains("main thread 10000"), "\(rows)")
  }

  /// A script of pyenv executes several programs. The phases had them, and the tree did not.
  @Test func theProgramsThatExecutedTheLastOneAreInTheTree() {
    var launch = SampleLaunch(exit: 10_000)
    for (name, time) in [("env", 100), ("bash", 1_000), ("python3", 5_000)] as [(String, Int64)] {
      launch.instant("exec", at: time, category: CategoryName.point, [("path", .string("/usr/bin/\(name)"))])
    }
    launch.instant("loader-started", at: 5_500, category: CategoryName.point)
    launch.interval("inner", from: 1_200, to: 1_300)
    launch.interval("across", from: 4_900, to: 5_100)
    let flame = LaunchTimeline(trace: launch.trace()).flame
    let rows = Set((0..<flame.count).map { "\(flame.path(of: $0).joined(separator: ";")) \(flame.total[$0])" })
    let exec = "main thread;exec"
    #expect(
      rows.isSuperset(of: [
        "\(exec) 5500", "\(exec);env 900", "\(exec);bash 3900", "\(exec);bash;inner 100", "\(exec);across 200",
      ]), "\(rows)")
  }

  /// `main` and `ready` were left out, with all their time.
  @Test func anIntervalThatCrossesPhasesLeavesThemTheRest() throws {
    var launch = SampleLaunch(preinit: 1_000)
    launch.mark("main", at: 2_000)
    launch.interval("inner", from: 3_000, to: 4_000)
    launch.interval("startup", from: 6_000, to: 13_000)
    launch.phase("did-finish-launching", from: 8_000, to: 12_000)
    launch.interval("late", from: 14_000, to: 15_000)
    launch.mark("ready", at: 20_000)
    launch.samples(["main", "work"], from: 2_000, to: 20_000, every: 1_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    let flame = timeline.flame
    let rows = Set((0..<flame.count).map { "\(flame.path(of: $0).joined(separator: ";")) \(flame.total[$0])" })
    #expect(
      rows.isSuperset(of: [
        "main thread 20000", "main thread;main 4000", "main thread;main;inner 1000", "main thread;startup 7000",
        "main thread;startup;did-finish-launching 4000", "main thread;ready 7000", "main thread;ready;late 1000",
      ]), "\(rows)")
    #expect(flame.total[flame.roots[0]] == timeline.total)
    #expect(timeline.mergedFlame.total[timeline.mergedFlame.roots[0]] == timeline.total)
  }

  /// It was 11 s over the budget of 16 ms, in a launch of 10 ms.
  @Test func whatComesAfterTheLaunchIsNotOverBudget() throws {
    func findings(ready: Int64, _ budgets: Budgets? = nil) -> [Finding] {
      var launch = SampleLaunch(preinit: 1_000)
      launch.mark("main", at: 2_000)
      launch.interval("event loop", from: 5_000_000, to: 11_000_000_000)
      launch.mark("ready", at: ready)
      return LaunchTimeline(trace: launch.trace(), budgets: budgets).findings
    }
    #expect(!findings(ready: 10_000_000).contains { $0.subject == "event loop" })
    let finding = try #require(findings(ready: 45_000_000).first { $0.subject == "event loop" })
    #expect(finding.actual == 40_000_000)
    var budgets = Budgets.standard
    budgets.intervals["event loop"] = 20_000_000
    let named = try #require(findings(ready: 10_000_000, budgets).first { $0.subject == "event loop" })
    #expect(named.actual == 10_995_000_000)
  }

  /// They begin and end on the main thread, but are no work of it.
  @Test func aLaunchScreenAndAnExtendedTaskStayOnTheirLanes() {
    var launch = SampleLaunch(preinit: 1_000)
    launch.mark("main", at: 2_000)
    launch.async(
      "launch screen", from: 0, to: 10_000, lane: launch.lane("launch screen"), began: launch.main, ended: launch.main,
      category: "launchprof.screen")
    launch.async(
      "more", from: 9_000, to: 90_000_000, lane: launch.lane(), began: launch.main, ended: launch.main,
      category: "launchprof.task")
    launch.mark("first-frame", at: 10_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    let flame = timeline.flame
    let paths = (0..<flame.count).map { flame.path(of: $0).joined(separator: ";") }
    #expect(paths.contains("main thread;main"), "\(paths)")
    #expect(!paths.contains { $0.hasPrefix("main thread;") && ($0.hasSuffix("screen") || $0.hasSuffix("more")) })
    #expect(!timeline.findings.contains { $0.id == "main-thread-over-budget" })
  }

  @Test func selfTimesAddUpToTheTotal() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let timeline = LaunchTimeline(trace: Self.random(&random, names: ["a", "b", "c", "load"]).trace())
      let flame = timeline.flame
      for root in flame.roots {
        var sum: Int64 = 0
        var stack = [root]
        while let node = stack.popLast() {
          sum += flame.selfTime(of: node)
          stack += flame.children(of: node)
          #expect(flame.selfTime(of: node) >= 0)
          #expect(flame.parent[node] < node)
        }
        #expect(sum == flame.total[root])
      }
    }
  }

  @Test func selfTimesOfSlicesAddUpToo() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let spans = LaunchTimeline(trace: Self.random(&random, names: ["a", "b"]).trace()).spans
      let selfTimes = spans.selfTimes()
      let roots = (0..<spans.count).filter { spans.parent[$0] < 0 }.reduce(0) { $0 + spans.duration[$1] }
      #expect(selfTimes.reduce(0, +) == roots)
      #expect(selfTimes.allSatisfy { $0 >= 0 })
      for row in 0..<spans.count where spans.parent[row] >= 0 {
        let outer = Int(spans.parent[row])
        #expect(outer < row)
        #expect(spans.start[outer] <= spans.start[row] && spans.end(row) <= spans.end(outer))
        #expect(spans.track[outer] == spans.track[row])
      }
    }
  }

  @Test func theMainThreadIsTheWholeLaunch() {
    let timeline = LaunchTimeline(trace: SampleLaunch.server().trace())
    #expect(timeline.flame.name(of: timeline.flame.roots[0]) == "main thread")
    #expect(timeline.flame.total[timeline.flame.roots[0]] == timeline.total)
    #expect(timeline.flame.slicesAfter == 1)
  }

  @Test func likePathsAreMerged() throws {
    var launch = SampleLaunch()
    for part in 0..<3 as Range<Int64> {
      launch.interval("outer", from: part * 100, to: part * 100 + 50)
      launch.interval("inner", from: part * 100, to: part * 100 + 10 + part)
    }
    let flame = LaunchTimeline(trace: launch.trace()).flame
    let outer = try #require(flame.children(of: flame.roots[0]).first)
    let inner = try #require(flame.children(of: outer).first)
    #expect(flame.children(of: flame.roots[0]).count == 1)
    #expect(flame.path(of: inner) == ["main thread", "outer", "inner"])
    #expect((flame.calls[outer], flame.total[outer], flame.selfTime(of: outer)) == (3, 150, 117))
    #expect((flame.calls[inner], flame.total[inner]) == (3, 33))
    #expect((flame.start[inner] - 1_000_000_000, flame.end[inner] - 1_000_000_000) == (0, 212))
  }

  @Test func depthIsNoLimit() {
    var launch = SampleLaunch()
    for depth in 0..<20_000 as Range<Int64> { launch.interval("n\(depth % 3)", from: depth, to: 100_000 - depth) }
    launch.phase("deep", from: 30_000, to: 60_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.flame.count > 20_000)
    #expect(timeline.phases.contains { $0.id == "deep" })
  }

  @Test func deepPhasesDoNotExhaustTheStack() {
    var launch = SampleLaunch()
    for depth in 0..<30_000 as Range<Int64> { launch.phase("p", from: depth, to: 200_000 - depth) }
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.flame.count > 30_000)
    expectTiling(timeline)
  }
}
