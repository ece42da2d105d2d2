// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Merges slices by path. If there are many, outer slices come first. Then the total of a path is known before its inner
/// slices are read, and they are left out if the path is small.
struct FlameTreeBuilder {
  private var tree: FlameTree
  private var index = RowIndex()
  private let launch: LaunchFrame
  private let trace: Trace
  private let spans: SpanTable
  /// The launch, ns: what begins after it is left out.
  private let window: Range<Int64>
  private let mainThread: Int32
  private let grain: TreeGrain
  /// The category of what the loader did.
  private let library: UInt32
  /// These and the nodes are those of the `SpanTree`.
  private var rootOfTrack: [Int32]
  private var derived: [SpanTree.Derived] = []
  private var nodes: [Int32]
  /// Slices that have a node in any case, because they are over budget, or around such a slice. Empty for none, or for too
  /// many: then the longest have nodes.
  private var isNeeded: [Bool] = []
  /// The derived phase that the next slice of the main thread may be in.
  private var phase = 0

  init(_ launch: LaunchFrame, spans: SpanTable, grain: TreeGrain) {
    (self.launch, self.spans, self.grain) = (launch, spans, grain)
    (trace, window, mainThread) = (launch.trace, launch.bounds, launch.main)
    library = trace.strings.id(of: CategoryName.library)?.rawValue ?? .max
    tree = FlameTree(strings: trace.strings, room: min(spans.count, grain.most))
    rootOfTrack = [Int32](repeating: -1, count: trace.tracks.count)
    nodes = [Int32](repeating: -1, count: spans.count)
  }

  /// The tree is not linked yet: samples may be added to it.
  consuming func build() -> SpanTree {
    if mainThread >= 0 { addDerivedPhases() }
    addSlices()
    return SpanTree(tree: tree, index: index, nodes: nodes, derived: derived, rootOfTrack: rootOfTrack)
  }

  // MARK: Tracks and phases

  private mutating func root(of track: Int32) -> Int32 {
    let known = rootOfTrack[Int(track)]
    if known >= 0 { return known }
    let kind = trace.tracks[Int(track)].kind
    let name = tree.strings.intern(trace.title(ofTrack: track, isMain: track == mainThread)).rawValue
    // Lanes of one name share a root: a lane only says that other work was going on.
    let node = kind == .async ? tree.node(of: name, below: -1, &index) : tree.add(name: name, parent: -1)
    if kind == .async { tree.flags[Int(node)].insert(.async) }
    if track == mainThread { tree.flags[Int(node)].insert(.mainThread) }
    rootOfTrack[Int(track)] = node
    return node
  }

  /// Adds derived phases, so that the main thread's tree is the whole launch. They lose what is of slices that go beyond them (D408).
  private mutating func addDerivedPhases() {
    let open = launch.phases.filter { $0.slice == nil && $0.duration > 0 && $0.id != PhaseName.trace }
    guard !open.isEmpty else { return }
    // The programs that executed this one.
    let programs = open.flatMap { $0.id == PhaseName.exec ? $0.children.filter { $0.duration > 0 } : [] }
    let beyondPhases = slices(beyond: open)
    let beyondPrograms = programs.isEmpty ? [] : slices(beyond: programs)
    let root = root(of: mainThread)
    for phase in open {
      guard let part = part(of: phase, without: beyondPhases) else { continue }
      let whole = (node: addDerived(phase, part, below: root), end: phase.end)
      var parts: [SpanTree.Derived] = []
      for program in phase.id == PhaseName.exec ? phase.children : [] where program.duration > 0 {
        guard let part = self.part(of: program, without: beyondPrograms) else { continue }
        let node = addDerived(program, part, below: whole.node)
        parts.append(.init(start: part.lowerBound, end: part.upperBound, node: node, whole: whole))
      }
      for rest in Time.rest(of: part, without: parts.map { $0.start..<$0.end }) {
        parts.append(.init(start: rest.lowerBound, end: rest.upperBound, node: whole.node, whole: whole))
      }
      derived += parts.sorted { $0.start < $1.start }
    }
  }

  /// A slice beyond a phase takes its beginning or its end. So what is left is in one piece.
  private func part(of phase: Phase, without slices: [Range<Int64>]) -> Range<Int64>? {
    Time.rest(of: phase.start..<phase.end, without: slices).first
  }

  /// When the launch was in outermost slices of the main thread that are in none of these phases.
  private func slices(beyond phases: [Phase]) -> [Range<Int64>] {
    var ranges: [Range<Int64>] = []
    for row in 0..<spans.count where spans.track[row] == mainThread && spans.parent[row] < 0 {
      // Only the part inside the launch is in the tree. A slice may go on after it.
      let (start, end) = (max(spans.start[row], window.lowerBound), min(spans.end(row), window.upperBound))
      guard start < end else { continue }
      let place = phases.partitioningIndex { $0.start > start } - 1
      if place < 0 || end > phases[place].end { ranges.append(start..<end) }
    }
    return Time.union(ranges)
  }

  private mutating func addDerived(_ phase: Phase, _ part: Range<Int64>, below parent: Int32) -> Int32 {
    let node = tree.node(of: tree.strings.intern(phase.id).rawValue, below: parent, &index)
    tree.flags[Int(node)].formUnion([.mainThread, .derivedPhase])
    tree.count(node, start: part.lowerBound, end: part.upperBound)
    return node
  }

  // MARK: Slices

  private mutating func addSlices() {
    guard spans.count > grain.most else {
      for row in 0..<spans.count { add(row) }
      return
    }
    markNeeded()
    let levels = RowsByDepth(0..<Int32(truncatingIfNeeded: spans.count), depths: RowsByDepth.depths(spans.parent))
    var measured = 0
    for depth in 0..<levels.count {
      // Not at each depth, because a trace may nest to any depth.
      if tree.count > measured + measured / 8 {
        tree.least = grain.least(tree.total)
        measured = tree.count
      }
      for row in levels[depth] { add(Int(row)) }
    }
  }

  private mutating func markNeeded() {
    let needed = spans.flags.count { $0.contains(.overBudget) }
    // In a crafted trace, that is each slice.
    guard needed > 0, needed <= grain.most else { return }
    isNeeded = spans.flags.map { $0.contains(.overBudget) }.withParents(spans.parent)
  }

  @inline(__always)
  private mutating func add(_ row: SliceIndex) {
    let start = spans.start[row]
    // Of another launch in the file.
    if spans.end(row) < window.lowerBound { return }
    let outer = Int(spans.parent[row])
    let isAfter = start > window.upperBound || (start == window.upperBound && spans.duration[row] > 0)
    if isAfter || (outer >= 0 && nodes[outer] < 0) {
      tree.slicesAfter += 1
      return
    }
    let below = outer >= 0 ? nodes[outer] : outermost(row)
    if outer >= 0, tree.total[Int(below)] < tree.least, isNeeded.isEmpty || !isNeeded[row] {
      nodes[row] = below
      return
    }
    let node = tree.node(of: trace.slices.name[row], below: below, &index)
    nodes[row] = node
    tree.count(node, start: max(start, window.lowerBound), end: min(spans.nestedEnd(row), window.upperBound))
    let flags = spans.flags[row]
    if trace.slices.category[row] == library { tree.flags[Int(node)].insert(.loading) }
    if flags.contains(.initializer) { tree.flags[Int(node)].insert(.initializer) }
    if flags.contains(.mainThread) { tree.flags[Int(node)].insert(.mainThread) }
    if flags.contains(.unfinished) { tree.flags[Int(node)].insert(.unfinished) }
    if flags.contains(.overBudget) { countOverBudget(row, node: Int(node)) }
  }

  /// The parent of a slice that is inside no other slice: its track, or a derived phase of the main thread.
  private mutating func outermost(_ row: SliceIndex) -> Int32 {
    let root = root(of: spans.track[row])
    guard spans.track[row] == mainThread else { return root }
    let start = max(spans.start[row], window.lowerBound)
    while phase < derived.count, derived[phase].end <= start, derived[phase].end < window.upperBound { phase += 1 }
    guard phase < derived.count, derived[phase].start <= start else { return root }
    let (part, end) = (derived[phase], min(spans.end(row), window.upperBound))
    return end <= part.end ? part.node : end <= part.whole.end ? part.whole.node : root
  }

  private mutating func countOverBudget(_ row: SliceIndex, node: Int) {
    guard let budget = spans.budget(of: row, in: trace, by: launch.budgets) else { return }
    let time = spans.limitedTime(of: row, in: trace, by: launch.budgets)
    var over =
      tree.overBudget[node]
      ?? FlameTree.OverBudget(occurrences: 0, excess: 0, worst: row, time: time, budget: budget)
    over.occurrences += 1
    over.excess &+= time - budget
    if time > over.time { (over.worst, over.time, over.budget) = (row, time, budget) }
    tree.overBudget[node] = over
  }
}
