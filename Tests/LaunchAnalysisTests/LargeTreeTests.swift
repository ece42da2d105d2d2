// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// Trees without small nodes: what they have is what the complete trees have.
struct LargeTreeTests {
  private static let launch: Int64 = 2_500_000

  private static func trees(_ timeline: LaunchTimeline, most: Int) -> FlameTrees {
    FlameTrees(timeline.context.launch, spans: timeline.spans, most: most)
  }

  /// Intervals within each other on three threads, and samples in them.
  private static func timeline(seed: UInt64) -> LaunchTimeline {
    var random = SeededGenerator(seed: seed)
    var sample = SampleLaunch()
    let threads = [sample.main, sample.thread(4712, name: "worker"), sample.thread(4713, name: "worker")]
    func fill(_ range: Range<Int64>, _ track: TrackID, _ depth: Int, _ frames: [SampleLaunch.Frame]) {
      var time = range.lowerBound
      while time < range.upperBound - 50 {
        let end = min(range.upperBound, time + Int64.random(in: 50...max(51, Int64(range.count) / 2), using: &random))
        let name = "work \(Int.random(in: 0..<20, using: &random))"
        sample.interval(name, from: time, to: end, on: track)
        let inner = frames + [SampleLaunch.Frame(stringLiteral: "app.step\(Int.random(in: 0..<9, using: &random))()")]
        if depth < 6, end - time > 1000 {
          fill(time..<end - 10, track, depth + 1, inner)
        } else {
          sample.samples(inner, from: time, to: end, every: 1500, on: track)
        }
        time = end + 10
      }
    }
    for track in threads { fill(1000..<launch, track, 0, ["main"]) }
    sample.interval("tiny but over budget", from: launch, to: launch + 1000, on: threads[1])
    sample.mark("ready", at: launch + 2000)
    return LaunchTimeline(trace: sample.trace())
  }

  private struct Node: Equatable {
    var total: Int64
    var calls: Int32
    var start: Int64
    var end: Int64
  }

  private static func nodes(_ tree: FlameTree) -> [[String]: Node] {
    var result: [[String]: Node] = [:]
    for node in 0..<tree.count {
      result[tree.path(of: node)] = Node(
        total: tree.total[node], calls: tree.calls[node], start: tree.start[node], end: tree.end[node])
    }
    return result
  }

  /// Every node of `large` that stands below large ones only is the one of `complete`, and none of those is missing.
  private static func expectSame(_ large: FlameTree, _ complete: FlameTree, _ what: Comment) {
    #expect(large.least > 0 && large.count < complete.count, what)
    let (some, all) = (nodes(large), nodes(complete))
    var compared = 0
    for (path, node) in all {
      let callers = path.indices.dropFirst().map { Array(path[..<$0]) }
      // A track's own total says nothing of what is in it.
      guard callers.dropFirst().allSatisfy({ (all[$0]?.total ?? 0) >= large.least }),
        path.count == 1 || node.total >= large.least
      else { continue }
      #expect(some[path] == node, "\(what): \(path)")
      compared += 1
    }
    #expect(compared > 20, what)
    #expect(Set(some.keys).isSubset(of: all.keys), what)
  }

  /// A thousand nodes, each as large as what is to be kept: no more than ten times as many as asked for are.
  @Test func nodesThatAreToBeKeptAreBounded() {
    let grain = TreeGrain(most: 10, kept: 1)
    #expect(grain.least([Int64](repeating: 5, count: 1_000)) > 5)
    #expect(grain.least([Int64](repeating: 5, count: 100)) == 1 && grain.least([5, 5]) == 0)
  }

  /// A crafted trace has a million of them.
  @Test func whatIsKeptOfASwitchIsSmall() {
    #expect(MemoryLayout<ThreadTurns.Pause>.stride <= 32)
    #expect(MemoryLayout<CriticalPath.Steps.Work>.stride <= 8)
  }

  @Test(arguments: [1] as [UInt64])
  func whatIsLargeIsTheSame(seed: UInt64) throws {
    let timeline = Self.timeline(seed: seed)
    let (large, complete) = (Self.trees(timeline, most: 100), Self.trees(timeline, most: .max))
    Self.expectSame(large.flame, complete.flame, "spans")
    Self.expectSame(try #require(large.samples).tree, try #require(complete.samples).tree, "samples")
    Self.expectSame(large.merged.tree, complete.merged.tree, "merged")
    #expect(complete.flame.least == 0 && complete.merged.tree.least == 0)
    #expect(large.flame.slicesAfter == complete.flame.slicesAfter)
  }

  /// A sample is of the nearest function that has a node.
  @Test func everySampleHasANode() throws {
    let timeline = Self.timeline(seed: 4)
    let large = try #require(Self.trees(timeline, most: 60).samples)
    let complete = try #require(Self.trees(timeline, most: .max).samples)
    for (some, all) in zip(large.nodes, complete.nodes) {
      let (short, long) = (large.tree.path(of: Int(some)), complete.tree.path(of: Int(all)))
      #expect(long.starts(with: short) && short.count > 1)
    }
    #expect(large.tree.roots.reduce(0) { $0 + large.tree.total[$1] } == timeline.trace.samples.weight.reduce(0, +))
  }

  @Test func whatIsOverBudgetStays() throws {
    let timeline = LaunchTimeline(
      trace: Self.timeline(seed: 5).trace,
      budgets: Budgets(
        defaultInterval: 1 << 40, intervals: ["tiny but over budget": 10], defaultPhase: nil, phases: [:],
        milestones: [:]))
    let flame = Self.trees(timeline, most: 60).flame
    #expect(flame.overBudget.nodes.map { flame.name(of: Int($0)) } == ["tiny but over budget"])
  }

  /// In a crafted trace, all are over budget. Then the tree has about eight times as many nodes as asked for.
  @Test func tooManyOverBudgetDoNotStay() {
    let budgets = Budgets(defaultInterval: 1, intervals: [:], defaultPhase: nil, phases: [:], milestones: [:])
    let timeline = LaunchTimeline(trace: Self.timeline(seed: 5).trace, budgets: budgets)
    let flame = Self.trees(timeline, most: 20).flame
    #expect(Self.trees(timeline, most: .max).flame.count > 2 * flame.count)
    #expect(!flame.overBudget.isEmpty)
  }

  /// What is inside of small nodes is left out, if there are more than reports list.
  @Test func aTreeThatIsListedIsBounded() throws {
    let many = 206
    let names = (0..<many).map { SampleLaunch.Frame(stringLiteral: "f\($0)") }
    var sample = SampleLaunch()
    for outer in 0..<many {
      for inner in 0..<many {
        let time = Int64(outer * many + inner)
        sample.samples(["main", names[outer], names[inner], "leaf"], from: time, to: time + 1, every: 1)
      }
    }
    TraceLimits.smaller.withValue(2) {
      let timeline = LaunchTimeline(trace: sample.trace())
      #expect(timeline.trace.stacks.count > TreeGrain.mostListed * 5 / 4)
      #expect(timeline.flame.count < TreeGrain.mostListed * 5 / 4)
      #expect(timeline.flame.roots.reduce(0) { $0 + timeline.flame.total[$1] } == Int64(many * many))
    }
  }

  /// All of them have the same total, so none of that level is in the tree.
  @Test func aLevelThatIsTooLargeIsLeftOut() throws {
    var sample = SampleLaunch()
    for row in 0..<2500 as Range<Int64> {
      let names = ["main", "f\(row / 50)", "leaf \(row)"]
      sample.samples(names.map { .init(stringLiteral: $0) }, from: row, to: row + 1, every: 1)
    }
    let samples = try #require(Self.trees(LaunchTimeline(trace: sample.trace()), most: 20).samples)
    #expect(samples.tree.count == 52 && samples.tree.total[samples.tree.roots[0]] == 2500)
  }

  /// To look at all nodes for each thread would take minutes.
  @Test func manyThreadsHaveSamples() throws {
    var sample = SampleLaunch()
    for thread in 0..<50_000 as Range<Int32> {
      let track = sample.thread(5000 + thread, name: "worker")
      sample.samples(["start", "work"], from: Int64(thread), to: Int64(thread) + 1, every: 1, on: track)
    }
    let timeline = LaunchTimeline(trace: sample.trace())
    func processorTime() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec
    }
    let start = processorTime()
    let samples = try #require(Self.trees(timeline, most: 40_000).samples)
    #expect(samples.tree.roots.count == 50_000)
    #expect(processorTime() - start < 60)
  }

  @Test func theFirstNodesOverBudgetAreKnown() {
    var nodes = NodesOverBudget()
    let over = FlameTree.OverBudget(occurrences: 1, excess: 1, worst: 0, time: 2, budget: 1)
    for node in 0...NodesOverBudget.most { nodes[node] = over }
    #expect(nodes.isFull && nodes.nodes.count == NodesOverBudget.most && nodes[NodesOverBudget.most] == nil)
    nodes[7]?.occurrences = 2
    #expect(nodes[7]?.occurrences == 2)
  }

  @Test func aSmallTreeIsComplete() {
    let timeline = Self.timeline(seed: 6)
    #expect(timeline.largeFlame.least == 0 && timeline.largeFlame.count == timeline.flame.count)
  }

  @Test func theLeastValueThatIsKept() {
    #expect([Int64]().least(keeping: 3) == 0)
    #expect([5, 1, 4].least(keeping: 3) == 0)
    let values = (0..<5000).map { Int64($0 * $0) }
    for most in [1, 10, 1000, 4999] {
      let least = values.least(keeping: most)
      let kept = values.count { $0 >= least }
      #expect(kept <= most && kept > most * 9 / 10 - 5, "\(most): \(kept)")
    }
    #expect([7, 7, 7, 7].least(keeping: 2) == 8)
    #expect([-3, .max, .min, 0].least(keeping: 1) > 0)
    #expect([.max, .max].least(keeping: 1) == .max)
  }

  @Test func rowsByDepth() {
    let parents: [Int32] = [-1, 0, 1, -1, 0, 3, 2]
    let levels = RowsByDepth(0..<7, depths: RowsByDepth.depths(parents))
    #expect((0..<levels.count).map { Array(levels[$0]) } == [[0, 3], [1, 4, 5], [2], [6]])
    #expect(RowsByDepth([], depths: []).count == 0)
  }
}
