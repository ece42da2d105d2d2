// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The rows of the flame tree, in order, and counts of what it does not show.
struct FlameRows {
  struct Row {
    /// nil for the sum of nodes that are not shown.
    var node: FlameTree.Node?
    var depth: Int
    /// The tree's lines in front of the name.
    var prefix: String
    var cutCount = 0
    var cutTotal: Int64 = 0
    var cutStart: Int64 = 0
    var cutEnd: Int64 = 0
    /// Whether the sum is of functions that only call each other.
    var isChain = false
  }

  /// The largest number of tracks, besides the main thread, with their own trees. A dozen is enough for the threads
  /// and async tracks of ordinary programs.
  static let mostTracks = 12

  /// Rows of deeper nodes would take more room than all others. If no depth is given, their sum is shown.
  private static let deepest = 256

  private(set) var rows: [Row] = []
  /// Number of nodes that are not shown because they are too short or too deep.
  private(set) var cut = 0
  /// Number of tracks that are not shown because others have more time. They share one row.
  private(set) var tracksLeftOut = 0
  /// Number of functions that are not shown because they only call the next one.
  private(set) var chained = 0
  private let flame: FlameTree
  private let options: ReportOptions
  private let style: TextStyle
  private let least: Int64
  /// Nodes that are always shown, because they are over budget, or contain such a node. If there are too many, none are.
  private var isNeeded: [Bool]
  private var isOfMainThread: [Bool]
  /// The nodes of tracks that are left out.
  private var isLeftOut: [Bool]

  /// - Parameter least: shorter nodes are summed up, ns.
  init(_ flame: FlameTree, options: ReportOptions, least: Int64, style: TextStyle) {
    self.flame = flame
    self.options = options
    self.style = style
    self.least = least
    isNeeded = [Bool](repeating: false, count: flame.count)
    isOfMainThread = flame.flags.map { $0.contains(.mainThread) }
    isLeftOut = [Bool](repeating: false, count: flame.count)
    // In a crafted trace, each node is over budget.
    if flame.overBudget.nodes.count <= TreeGrain.most {
      for node in flame.overBudget.nodes { isNeeded[Int(node)] = true }
    }
    for node in stride(from: flame.count - 1, through: 0, by: -1) where flame.parent[node] >= 0 {
      if isNeeded[node] { isNeeded[Int(flame.parent[node])] = true }
      if isOfMainThread[node] { isOfMainThread[Int(flame.parent[node])] = true }
    }
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
    push(flame.roots, depth: 0, below: "", on: &stack)
    while let row = stack.popLast() {
      rows.append(row)
      guard let node = row.node, row.depth < options.depth ?? .max else { continue }
      guard let chain = chain(below: node) else {
        push(flame.children(of: node), depth: row.depth + 1, below: continuation(row), on: &stack)
        continue
      }
      let sum = Row(
        depth: row.depth + 1, prefix: continuation(row) + style.lastBranch, cutCount: chain.count,
        cutTotal: flame.total[node], cutStart: flame.start[node], cutEnd: flame.end[node], isChain: true)
      rows.append(sum)
      chained += chain.count
      push(flame.children(of: chain.last), depth: sum.depth + 1, below: continuation(sum), on: &stack)
    }
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

  private mutating func push(_ siblings: [FlameTree.Node], depth: Int, below prefix: String, on stack: inout [Row]) {
    var shown: [FlameTree.Node] = []
    var rest = Row(node: nil, depth: depth, prefix: prefix)
    for node in siblings where isAskedFor(node) {
      if isLong(node), !isLeftOut[node], depth <= options.depth ?? Self.deepest {
        shown.append(node)
      } else {
        rest.cutStart = rest.cutCount == 0 ? flame.start[node] : min(rest.cutStart, flame.start[node])
        rest.cutEnd = max(rest.cutEnd, flame.end[node])
        rest.cutCount += 1
        rest.cutTotal &+= flame.total[node]
      }
    }
    if options.sort == .time {
      shown.sort { (flame.total[$1], flame.start[$0], $0) < (flame.total[$0], flame.start[$1], $1) }
    } else if depth > 0 {
      // Unclaimed time is at several places, so it comes last.
      let key = { [flame] (node: FlameTree.Node) in (flame.isUnattributed(node) ? 1 : 0, flame.start[node], node) }
      shown.sort { key($0) < key($1) }
    }
    var level = shown.map { Row(node: $0, depth: depth, prefix: prefix) }
    // The nodes that are not shown have a line if their sum is long enough for one.
    if rest.cutCount > 0, rest.cutTotal >= least || tracksLeftOut > 0 && depth == 0 { level.append(rest) }
    if depth > 0 {
      for place in level.indices { level[place].prefix += place == level.count - 1 ? style.lastBranch : style.branch }
    }
    stack.append(contentsOf: level.reversed())
  }

  private func continuation(_ row: Row) -> String { Self.continuation(row, style: style) }

  /// The prefix of a row's children.
  static func continuation(_ row: Row, style: TextStyle) -> String {
    if row.depth == 0 { return "" }
    // Both kinds of branch have two characters. The last branch has no line below it.
    let isLast = row.prefix.hasSuffix(style.lastBranch)
    return row.prefix.dropLast(2) + (isLast ? "  " : style.trunk)
  }
}
