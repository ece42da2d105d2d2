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
  private var derived: [(start: Int64, end: Int64, node: Int32)] = []

  /// - Parameters:
  ///   - window: the launch, ns: what begins after it is left out.
  ///   - phases: the launch's phases; those that no slice says become nodes of the main thread.
  init(_ trace: Trace, spans: SpanTable, window: ClosedRange<Int64>, mainThread: TrackID?, phases: [Phase]) {
    self.trace = trace
    self.spans = spans
    self.window = window
    self.mainThread = mainThread?.rawValue ?? -1
    tree = FlameTree(strings: trace.strings)
    rootOfTrack = [Int32](repeating: -1, count: trace.tracks.count)
    if let mainThread { addDerived(phases, track: mainThread.rawValue) }
  }

  consuming func build(budgets: Budgets) -> FlameTree {
    addSlices(budgets: budgets)
    if trace.slices.count == 0, trace.samples.count > 0 { addSamples() }
    finish()
    return tree
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
    // Lanes of one name are one: a lane says nothing but that something else was going on.
    let node =
      kind == .async
      ? node(below: -1, name: name)
      : tree.add(name: name, parent: -1)
    if kind == .async { tree.flags[Int(node)].insert(.async) }
    if track == mainThread { tree.flags[Int(node)].insert(.mainThread) }
    rootOfTrack[Int(track)] = node
    return node
  }

  /// Derived phases, so that the main thread's tree is the whole launch. One that crosses a slice is left out.
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
      derived.append((phase.start, phase.end, node))
    }
  }

  // MARK: Slices

  private mutating func addSlices(budgets: Budgets) {
    var nodes = [Int32](repeating: -1, count: spans.count)
    let names = trace.slices.name
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
      if flags.contains(.mainThread) { tree.flags[Int(node)].insert(.mainThread) }
      if flags.contains(.unfinished) { tree.flags[Int(node)].insert(.unfinished) }
      if flags.contains(.overBudget) { countOverBudget(row, node: Int(node), budgets: budgets) }
    }
  }

  /// The samples of a trace that has nothing else.
  private mutating func addSamples() {
    let samples = trace.samples
    tree.unit = trace.sampleUnit == "count" ? "samples" : trace.sampleUnit
    tree.isSampled = true
    var names = FrameNames(trace)
    var chain: [Int32] = []
    var all: Int32 = -1
    for row in 0..<samples.count {
      var node: Int32
      if samples.track[row] >= 0 {
        node = root(of: samples.track[row])
      } else {
        if all < 0 { all = tree.add(name: tree.strings.intern("all samples").rawValue, parent: -1) }
        node = all
      }
      chain.removeAll(keepingCapacity: true)
      var frame = samples.stack[row]
      while frame >= 0 {
        chain.append(frame)
        frame = trace.stacks.caller[Int(frame)]
      }
      for frame in chain.reversed() {
        let (outer, name) = (node, names.name(of: frame, in: &tree.strings))
        node = self.node(below: outer, name: name)
        tree.count(node, at: samples.time[row], weight: max(0, samples.weight[row]))
      }
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

  /// Totals of tracks, and the children's lists.
  private mutating func finish() {
    for node in stride(from: tree.count - 1, through: 0, by: -1) {
      let outer = Int(tree.parent[node])
      if outer < 0 {
        tree.roots.append(node)
        continue
      }
      tree.nextSibling[node] = tree.firstChild[outer]
      tree.firstChild[outer] = Int32(node)
    }
    for node in 0..<tree.count where tree.parent[node] < 0 { tree.sumUp(track: node) }
    tree.roots.sort { first, second in
      let isMain = (tree.flags[first].contains(.mainThread), tree.flags[second].contains(.mainThread))
      return isMain.0 != isMain.1 ? isMain.0 : (tree.start[first], first) < (tree.start[second], second)
    }
  }
}
