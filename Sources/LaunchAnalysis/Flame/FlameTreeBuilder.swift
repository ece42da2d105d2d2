internal import LaunchTrace

/// Merges slices by path, in one pass over the columns.
struct FlameTreeBuilder {
  private var tree: FlameTree
  private var index = PathIndex()
  private let trace: Trace
  private let spans: SpanTable
  private let window: ClosedRange<Int64>
  private let mainThread: Int32
  /// The root of each track, -1 until there is one.
  private var rootOfTrack: [Int32]
  private var derived: [SpanTree.Derived] = []
  /// The node of each slice, -1 for one that is not in the tree.
  private var nodes: [Int32]

  /// - Parameters:
  ///   - window: the launch, ns. Slices that begin after it are left out.
  ///   - phases: the launch's phases. Those that were not recorded become nodes of the main thread.
  init(_ trace: Trace, spans: SpanTable, window: ClosedRange<Int64>, mainThread: TrackID?, phases: [Phase]) {
    self.trace = trace
    self.spans = spans
    self.window = window
    self.mainThread = mainThread?.rawValue ?? -1
    tree = FlameTree(strings: trace.strings)
    tree.reserve(spans.count)
    rootOfTrack = [Int32](repeating: -1, count: trace.tracks.count)
    nodes = [Int32](repeating: -1, count: spans.count)
    if let mainThread { addDerived(phases, track: mainThread.rawValue) }
  }

  /// The tree is not linked yet: samples may be added to it.
  consuming func build(budgets: Budgets) -> SpanTree {
    addSlices(budgets: budgets)
    return SpanTree(tree: tree, index: index, nodes: nodes, derived: derived, rootOfTrack: rootOfTrack)
  }

  @inline(__always)
  private mutating func node(below parent: Int32, name: UInt32) -> Int32 {
    index.node(
      below: parent, name: name,
      isSame: { tree.parent[Int($0)] == parent && tree.name[Int($0)] == name },
      or: { tree.add(name: name, parent: parent) })
  }

  // MARK: Tracks and phases

  private mutating func root(of track: Int32) -> Int32 {
    let known = rootOfTrack[Int(track)]
    if known >= 0 { return known }
    let kind = trace.tracks[Int(track)].kind
    let name = tree.strings.intern(trace.title(ofTrack: track, isMain: track == mainThread)).rawValue
    // Lanes of one name share a root: a lane only says that other work was going on.
    let node =
      kind == .async
      ? node(below: -1, name: name)
      : tree.add(name: name, parent: -1)
    if kind == .async { tree.flags[Int(node)].insert(.async) }
    if track == mainThread { tree.flags[Int(node)].insert(.mainThread) }
    rootOfTrack[Int(track)] = node
    return node
  }

  /// Adds derived phases, so that the main thread's tree is the whole launch. Leaves out a phase that crosses a slice.
  private mutating func addDerived(_ phases: [Phase], track: Int32) {
    let open = phases.filter { $0.slice == nil && $0.duration > 0 && $0.id != PhaseName.trace }
    guard !open.isEmpty else { return }
    var isCrossed = [Bool](repeating: false, count: open.count)
    var first = 0
    for row in 0..<spans.count where spans.track[row] == track && spans.parent[row] < 0 {
      let (start, end) = (spans.start[row], spans.end(row))
      while first < open.count, open[first].end <= start { first += 1 }
      var place = first
      while place < open.count, open[place].start < end {
        let isInside = open[place].start <= start && end <= open[place].end
        if !isInside { isCrossed[place] = true }
        place += 1
      }
    }
    let root = root(of: track)
    for (phase, isCrossed) in zip(open, isCrossed) where !isCrossed {
      let name = tree.strings.intern(phase.id).rawValue
      let node = node(below: root, name: name)
      tree.flags[Int(node)].formUnion([.mainThread, .derivedPhase])
      tree.count(node, start: phase.start, end: phase.end)
      derived.append(SpanTree.Derived(start: phase.start, end: phase.end, node: node))
    }
  }

  // MARK: Slices

  private mutating func addSlices(budgets: Budgets) {
    let names = trace.slices.name
    let library = trace.strings.id(of: CategoryName.library)?.rawValue ?? .max
    var phase = 0
    for row in 0..<spans.count {
      let start = spans.start[row]
      if start > window.upperBound {
        tree.slicesAfter += spans.count - row
        break
      }
      var below = spans.parent[row]
      let isAfter = start == window.upperBound && spans.duration[row] > 0
      if isAfter || (below >= 0 && nodes[Int(below)] < 0) {
        tree.slicesAfter += 1
        continue
      }
      if below >= 0 {
        below = nodes[Int(below)]
      } else {
        below = root(of: spans.track[row])
        if spans.track[row] == mainThread {
          while phase < derived.count, derived[phase].end <= start, derived[phase].end < window.upperBound {
            phase += 1
          }
          if phase < derived.count, derived[phase].start <= start, spans.end(row) <= derived[phase].end {
            below = derived[phase].node
          }
        }
      }
      let node = self.node(below: below, name: names[row])
      nodes[row] = node
      tree.count(node, start: max(start, window.lowerBound), end: min(spans.end(row), window.upperBound))
      let flags = spans.flags[row]
      if trace.slices.category[row] == library { tree.flags[Int(node)].insert(.loading) }
      if flags.contains(.mainThread) { tree.flags[Int(node)].insert(.mainThread) }
      if flags.contains(.unfinished) { tree.flags[Int(node)].insert(.unfinished) }
      if flags.contains(.overBudget) { countOverBudget(row, node: Int(node), budgets: budgets) }
    }
  }

  private mutating func countOverBudget(_ row: SliceIndex, node: Int, budgets: Budgets) {
    guard let budget = spans.budget(of: row, in: trace, by: budgets) else { return }
    let excess = spans.duration[row] - budget
    guard var over = tree.overBudget[node] else {
      tree.overBudget[node] = FlameTree.OverBudget(occurrences: 1, excess: excess, worst: row, budget: budget)
      return
    }
    over.occurrences += 1
    over.excess &+= excess
    if spans.duration[row] > spans.duration[over.worst] { (over.worst, over.budget) = (row, budget) }
    tree.overBudget[node] = over
  }
}
