// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The rows of the flame tree, in order, and counts of what it does not show.
struct FlameRows {
  /// A crafted trace has half a million.
  struct Row {
    enum Content {
      case node(Int32)
      /// The sum of nodes that are not shown: its place in `sums`.
      case sum(Int32)
    }

    var content: Content
    /// Whether it is the last one below its parent.
    var isLast = false
    private let level: Int32

    init(_ content: Content, depth: Int, isLast: Bool = false) {
      self.content = content
      self.isLast = isLast
      level = Int32(truncatingIfNeeded: depth)
    }

    init(_ node: FlameTree.Node, depth: Int, isLast: Bool = false) {
      self.init(.node(Int32(truncatingIfNeeded: node)), depth: depth, isLast: isLast)
    }

    var depth: Int { Int(level) }

    /// nil for a sum.
    var node: FlameTree.Node? {
      if case .node(let node) = content { Int(node) } else { nil }
    }
  }

  /// Nodes that are not shown.
  struct Sum {
    var count = 0
    var total: Int64 = 0
    var start: Int64 = 0
    var end: Int64 = 0
    /// Functions that only call each other.
    var isChain = false
    /// Deeper than all nodes that are shown.
    var isDeep = false
    /// All that is not among the most important nodes.
    var isRest = false

    mutating func add(_ node: FlameTree.Node, of flame: FlameTree) {
      start = count == 0 ? flame.start[node] : min(start, flame.start[node])
      end = max(end, flame.end[node])
      count += 1
      total &+= flame.total[node]
    }
  }

  /// The largest number of tracks, besides the main thread, with their own trees. A dozen is enough for the threads
  /// and async tracks of ordinary programs.
  static let mostTracks = 12

  /// Rows of deeper nodes would take more room than all others. If no depth is given, their sum is shown.
  static let deepest = 256

  private(set) var rows: [Row] = []
  private(set) var sums: [Sum] = []
  /// Number of nodes that are not shown because they are too short or too deep.
  private(set) var cut = 0
  /// Number of tracks that are not shown because others have more time. They share one row.
  private(set) var tracksLeftOut = 0
  /// Number of functions that are not shown because they only call the next one.
  private(set) var chained = 0
  private let flame: FlameTree
  private let options: ReportOptions
  private let least: Int64
  /// Nodes that are always shown, because they are over budget, or contain such a node. If there are too many, none are.
  private var isNeeded: [Bool]
  private let isOfMainThread: [Bool]
  /// The nodes of tracks that are left out.
  private var isLeftOut: [Bool]

  /// - Parameter least: shorter nodes are summed up, ns.
  init(_ flame: FlameTree, options: ReportOptions, least: Int64) {
    (self.flame, self.options, self.least) = (flame, options, least)
    isNeeded = [Bool](repeating: false, count: flame.count)
    isOfMainThread = flame.isOfMainThread
    isLeftOut = [Bool](repeating: false, count: flame.count)
    // In a crafted trace, each node is over budget.
    if flame.overBudget.nodes.count <= TreeGrain.most {
      for node in flame.overBudget.nodes { isNeeded[Int(node)] = true }
    }
    isNeeded = isNeeded.withParents(flame.parent)
    leaveOutTracks()
    collect()
    let shown = rows.count { $0.node != nil }
    cut = (0..<flame.count).count { isAskedFor($0) && !isLeftOut[$0] } - shown - chained
  }

  private func isAskedFor(_ node: FlameTree.Node) -> Bool { !options.mainThreadOnly || isOfMainThread[node] }
  private func isLong(_ node: FlameTree.Node) -> Bool { flame.total[node] >= least || isNeeded[node] }

  /// If there are too many tracks, keeps those with work over budget, then those with the most time.
  private mutating func leaveOutTracks() {
    let isMain = { [flame] (root: FlameTree.Node) in flame.flags[root].contains(.mainThread) }
    let others = flame.roots.filter { isAskedFor($0) && !isMain($0) }
    guard others.count(where: isLong) > Self.mostTracks else { return }
    for root in flame.roots where isMain(root) { isNeeded[root] = true }
    let key = { [flame, isNeeded] (root: FlameTree.Node) in
      (isNeeded[root] ? 0 : 1, 0 &- flame.total[root], flame.start[root], root)
    }
    let leftOut = others.sorted { key($0) < key($1) }.dropFirst(Self.mostTracks)
    tracksLeftOut = leftOut.count
    for root in leftOut { isLeftOut[root] = true }
    for node in 0..<flame.count where flame.parent[node] >= 0 { isLeftOut[node] = isLeftOut[Int(flame.parent[node])] }
  }

  /// Walks the tree without recursion, because traces may nest to any depth.
  private mutating func collect() {
    var stack: [Row] = []
    push(flame.roots, depth: 0, on: &stack)
    while let row = stack.popLast() {
      rows.append(row)
      guard let node = row.node, row.depth < options.depth ?? .max else { continue }
      guard let chain = chain(below: node) else {
        push(flame.children(of: node), depth: row.depth + 1, on: &stack)
        continue
      }
      let sum = Sum(
        count: chain.count, total: flame.total[node], start: flame.start[node], end: flame.end[node], isChain: true)
      rows.append(Row(add(sum), depth: row.depth + 1, isLast: true))
      chained += chain.count
      push(flame.children(of: chain.last), depth: row.depth + 2, on: &stack)
    }
  }

  private mutating func add(_ sum: Sum) -> Row.Content {
    sums.append(sum)
    return .sum(Int32(truncatingIfNeeded: sums.count - 1))
  }

  /// This few nodes are shown one by one.
  private static let leastChained = 3

  /// Library functions below a node that each only call the next one. They are not shown unless a depth is given.
  private func chain(below node: FlameTree.Node) -> (count: Int, last: FlameTree.Node)? {
    guard options.depth == nil else { return nil }
    var (count, last) = (0, node)
    while let next = onlyChild(of: last), flame.flags[next].contains(.foreign), !isNeeded[next],
      onlyChild(of: next) != nil
    {
      (count, last) = (count + 1, next)
    }
    return count >= Self.leastChained ? (count, last) : nil
  }

  /// The child that has all the time of its caller.
  private func onlyChild(of node: FlameTree.Node) -> FlameTree.Node? {
    let children = flame.children(of: node)
    guard children.count == 1, let child = children.first, flame.total[child] == flame.total[node], isAskedFor(child),
      isLong(child)
    else { return nil }
    return child
  }

  private mutating func push(_ siblings: [FlameTree.Node], depth: Int, on stack: inout [Row]) {
    var shown: [FlameTree.Node] = []
    var rest = Sum(isDeep: depth > options.depth ?? Self.deepest)
    for node in siblings where isAskedFor(node) {
      if isLong(node), !isLeftOut[node], !rest.isDeep { shown.append(node) } else { rest.add(node, of: flame) }
    }
    if options.sort == .time {
      shown.sort { (flame.total[$1], flame.start[$0], $0) < (flame.total[$0], flame.start[$1], $1) }
    } else if depth > 0 {
      // Unclaimed time is at several places, so it comes last.
      let key = { [flame] (node: FlameTree.Node) in (flame.isUnattributed(node) ? 1 : 0, flame.start[node], node) }
      shown.sort { key($0) < key($1) }
    }
    let first = stack.count
    // The nodes that are not shown have a line if their sum is long enough for one.
    if rest.count > 0, rest.total >= least || tracksLeftOut > 0 && depth == 0 {
      stack.append(Row(add(rest), depth: depth))
    }
    for node in shown.reversed() { stack.append(Row(node, depth: depth)) }
    if first < stack.count { stack[first].isLast = true }
  }
}
