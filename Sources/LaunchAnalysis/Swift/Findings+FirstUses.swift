// SPDX-License-Identifier: Apache-2.0

extension Findings {
  /// A first use is expensive above this share of the launch, and above this time in ns.
  static let firstUseShare = 0.05
  static let firstUseLeast: Int64 = 1_000_000
  /// One sample may be chance.
  static let firstUseSamples: Int64 = 2

  /// What samples or lazy globals of the main thread show of first uses that have a cheaper alternative.
  func firstUses() -> [Finding] {
    let allowed = threshold(Self.firstUseShare, least: Self.firstUseLeast)
    let (sampled, initialized) = (sampledUses(), initializedUses())
    return FirstUse.all.compactMap { use -> Finding? in
      let seen = [sampled[use.thing], initialized[use.thing]].compactMap(\.self)
      guard let seen = seen.max(by: { $0.time < $1.time }), seen.time > allowed else { return nil }
      return Finding(
        id: FindingName.expensiveFirstUse, expected: allowed, actual: seen.time, subject: use.plainThing,
        start: seen.start, error: seen.error,
        evidence: seen.callers.isEmpty
          ? [] : [Evidence(.stack, seen.callers.joined(separator: " > "), time: seen.time)],
        advice: "Use \(use.plainInstead). If the launch needs neither, use it after the launch.")
    }.sorted(by: Self.worstFirst)
  }

  /// All uses of one thing on the main thread.
  private struct SeenUse {
    /// ns
    var time: Int64 = 0
    var start: Int64 = .max
    /// The largest error of the time, if it comes from samples.
    var error: Int64?
    /// Callers of the longest use, outermost first.
    var callers: [String] = []
    var longest: Int64 = 0
    /// How many samples show it.
    var samples: Int64 = 0

    mutating func add(_ time: Int64, from start: Int64, callers: @autoclosure () -> [String]) {
      self.time += time
      self.start = min(self.start, start)
      if time > longest { (longest, self.callers) = (time, callers()) }
    }
  }

  private func sampledUses() -> [String: SeenUse] {
    guard let samples = timeline.context.large.samples, samples.tree.unit == "ns" else { return [:] }
    let (tree, work) = (samples.tree, workOfLaunch(samples))
    var uses: [String: SeenUse] = [:]
    // Many nodes have the same name.
    var known: [UInt32: FirstUse?] = [:]
    func use(_ node: FlameTree.Node) -> FirstUse? {
      known.value(of: tree.name[node]) { FirstUse.of(tree.name(of: node)) }
    }
    var stack = tree.roots.filter { tree.flags[$0].contains(.mainThread) }
    while let node = stack.popLast() {
      guard samples.frames[node] >= 0, let use = use(node) else {
        stack += tree.children(of: node)
        continue
      }
      let (time, count) = work[node]
      guard count > 0 else { continue }
      var seen = uses[use.thing] ?? SeenUse()
      // Without the track, and with the node itself.
      seen.add(time, from: tree.start[node], callers: Array(tree.path(of: node).dropFirst()))
      seen.error = max(seen.error ?? 0, time / count)
      seen.samples += count
      uses[use.thing] = seen
    }
    return uses.filter { $0.value.samples >= Self.firstUseSamples }
  }

  /// By node, how many samples up to the launch's end it has with its callees, and their time, ns. The tree also has those up to
  /// `fullyDrawn()`.
  private func workOfLaunch(_ samples: SampleTree) -> [(time: Int64, count: Int64)] {
    let (table, parent) = (timeline.trace.samples, samples.tree.parent)
    var work = [(time: Int64, count: Int64)](repeating: (0, 0), count: samples.tree.count)
    for row in 0..<table.time.partitioningIndex(where: { $0 > timeline.end }) where samples.nodes[row] >= 0 {
      work[Int(samples.nodes[row])].time += table.weight[row]
      work[Int(samples.nodes[row])].count += 1
    }
    for node in work.indices.reversed() where parent[node] >= 0 {
      work[Int(parent[node])].time += work[node].time
      work[Int(parent[node])].count += work[node].count
    }
    return work
  }

  private func initializedUses() -> [String: SeenUse] {
    var uses: [String: SeenUse] = [:]
    // The time of a use includes what is inside it.
    var end: [String: Int64] = [:]
    for global in timeline.lazyGlobals.globals where global.isOnMainThread {
      guard let use = ([global.name] + global.askers).lazy.compactMap(FirstUse.of).first,
        global.start >= end[use.thing] ?? .min
      else { continue }
      end[use.thing] = timeline.spans.end(global.slice)
      uses[use.thing, default: SeenUse()].add(global.duration, from: global.start, callers: global.askers.reversed())
    }
    return uses
  }
}
