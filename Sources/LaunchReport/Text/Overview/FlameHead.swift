// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The few most informative nodes of a flame tree, each below the nearest shown node above it.
///
/// A function that only calls another one is left out, except where the program's own code calls a library. So is a short
/// phase without content, because the phases have their own table.
struct FlameHead {
  private(set) var rows: [FlameRows.Row] = []
  /// What each thread and lane has besides.
  private(set) var sums: [FlameRows.Sum] = []

  private let flame: FlameTree
  private let least: Int64
  private var isShown: [Bool] = []

  /// - Parameters:
  ///   - most: the largest number of nodes, and of the phases and threads around them.
  ///   - least: nodes that are shorter than this are shown only if they are over budget, ns.
  ///   - limit: how many rows there may be. There are fewer nodes if these need more.
  init(_ flame: FlameTree, most: Int, least: Int64, rows limit: Int) {
    self.flame = flame
    self.least = max(1, least)
    let (candidates, phases) = (candidates(most), longPhases())
    for most in (1...most).reversed() {
      choose(candidates.prefix(most), phases, most)
      layOut()
      if rows.count <= limit { break }
    }
  }

  /// The most important ones first.
  private func candidates(_ most: Int) -> ArraySlice<Int> {
    let key = { [flame] (node: Int) in (flame.overBudget[node] == nil ? 1 : 0, 0 &- flame.total[node], node) }
    return (0..<flame.count).filter(isCandidate).sorted { key($0) < key($1) }.prefix(most)
  }

  private func longPhases() -> (ofMain: [Int], others: [Int]) {
    let isMain = { [flame] (node: Int) in flame.flags[node].contains(.mainThread) }
    let phases = (0..<flame.count).filter(isLongPhase)
    let others = phases.filter { !isMain($0) }.sorted { (flame.total[$1], $0) < (flame.total[$0], $1) }
    return (phases.filter(isMain), others)
  }

  private mutating func choose(_ candidates: ArraySlice<Int>, _ phases: (ofMain: [Int], others: [Int]), _ most: Int) {
    isShown = [Bool](repeating: false, count: flame.count)
    // A trace of another tool may have many threads with one long interval each, in any order. The main thread's come
    // first, and those of the others leave room for what is in it.
    var room = most * 2
    for node in phases.ofMain { show(node, &room) }
    for node in phases.others where room * 2 > most { show(node, &room) }
    for node in candidates where room > 0 { show(node, &room) }
  }

  /// Shows a node with its phase and thread, unless they need more than `room`. Then there is no room for others, either.
  private mutating func show(_ node: Int, _ room: inout Int) {
    let ancestors = sequence(first: node) { [flame] in flame.parent[$0] < 0 ? nil : Int(flame.parent[$0]) }
    let new = Set([node] + ancestors.suffix(2)).filter { !isShown[$0] }
    guard new.count <= room else {
      room = 0
      return
    }
    room -= new.count
    for node in new { isShown[node] = true }
  }

  /// A large part of the launch is shown even if its content is unknown.
  private func isLongPhase(_ node: Int) -> Bool {
    isBelowTrack(node) && !flame.isUnattributed(node) && flame.total[node] / 4 >= least
  }

  /// The children of a track are its phases, or the intervals of a thread.
  private func isBelowTrack(_ node: Int) -> Bool {
    guard flame.parent[node] >= 0, flame.parent[Int(flame.parent[node])] < 0 else { return false }
    return !flame.flags[node].contains(.inferred) && !flame.isSampled
  }

  private func isCandidate(_ node: Int) -> Bool {
    let parent = Int(flame.parent[node])
    guard parent >= 0 else { return false }
    if flame.overBudget[node] != nil { return true }
    // The libraries of `load` and `relocate` have their own table.
    if isBelowTrack(node) || flame.name[node] == flame.name[parent] { return false }
    return flame.total[node] >= least && !onlyCallsAnother(node) && !exceedsItsSpan(node)
  }

  /// A sample stands for the time between two samples. In a short phase, that is more than the phase took.
  private func exceedsItsSpan(_ node: Int) -> Bool {
    var outer = node
    while flame.flags[outer].contains(.inferred), flame.parent[outer] >= 0 { outer = Int(flame.parent[outer]) }
    return flame.parent[outer] >= 0 && flame.total[node] > flame.total[outer]
  }

  /// The innermost function of the program's own code does not count as such: it is what the reader can change. Of a function
  /// that calls itself, the outermost call is shown for all.
  private func onlyCallsAnother(_ node: Int) -> Bool {
    guard flame.isSampled || flame.flags[node].contains(.inferred) else { return false }
    func heaviestCallee(_ node: Int) -> Int? {
      flame.children(of: node).max { flame.total[$0] < flame.total[$1] }
    }
    var heaviest = heaviestCallee(node)
    while let inner = heaviest, flame.name[inner] == flame.name[node] { heaviest = heaviestCallee(inner) }
    guard let callee = heaviest else { return false }
    let entersLibrary = flame.flags[callee].contains(.foreign) && !flame.flags[node].contains(.foreign)
    return !entersLibrary && flame.total[callee] >= flame.total[node] - flame.total[node] / 10
  }

  /// Puts each node below the nearest shown node above it, in the order of time.
  private mutating func layOut() {
    (rows, sums) = ([], [])
    var below: [Int: [Int]] = [:]
    var nearest = [Int](repeating: -1, count: flame.count)
    for node in 0..<flame.count {
      let parent = Int(flame.parent[node])
      let holder = parent < 0 ? -1 : isShown[parent] ? parent : nearest[parent]
      nearest[node] = holder
      if isShown[node] { below[holder, default: []].append(node) }
    }
    let isMain = { [flame] (node: Int) in flame.flags[node].contains(.mainThread) ? 0 : 1 }
    let key = { [flame] (node: Int) in (flame.parent[node] < 0 ? isMain(node) : 0, flame.start[node], node) }
    let isNeeded = isNeeded
    var stack: [(row: FlameRows.Row, node: Int)] = []
    func push(_ node: Int, depth: Int) {
      let inside = (below[node] ?? []).sorted { key($0) < key($1) }
      let rest = depth == 1 && !inside.isEmpty ? rest(of: node, isNeeded) : nil
      if let rest {
        stack.append((FlameRows.Row(.sum(Int32(sums.count)), depth: depth, isLast: true), -1))
        sums.append(rest)
      }
      for (place, child) in inside.enumerated().reversed() {
        let named = distinguished(child, among: inside, below: node)
        stack.append((FlameRows.Row(named, depth: depth, isLast: rest == nil && place == inside.count - 1), child))
      }
    }
    push(-1, depth: 0)
    while let (row, node) = stack.popLast() {
      rows.append(row)
      if row.node != nil { push(node, depth: row.depth + 1) }
    }
  }

  /// By node: whether it is shown, or contains a node that is.
  private var isNeeded: [Bool] { isShown.withParents(flame.parent) }

  /// What is directly below a thread and has no row, if a reader would miss its time.
  private func rest(of track: Int, _ isNeeded: [Bool]) -> FlameRows.Sum? {
    var rest = FlameRows.Sum(isRest: true)
    for node in flame.children(of: track) where !isNeeded[node] { rest.add(node, of: flame) }
    return rest.count > 0 && rest.total >= max(1, least / 6) ? rest : nil
  }

  /// Several callers of one function would give rows of one name. Then the callers themselves are shown.
  private func distinguished(_ node: Int, among rows: [Int], below holder: Int) -> Int {
    guard flame.flags[node].contains(.inferred) || flame.isSampled else { return node }
    func callers(_ node: Int) -> [Int] {
      sequence(first: node) { [flame] in Int(flame.parent[$0]) == holder ? nil : Int(flame.parent[$0]) }.reversed()
    }
    let path = callers(node)
    let shared = rows.filter { $0 != node && flame.name[$0] == flame.name[node] }.map { other in
      zip(path, callers(other)).prefix { $0 == $1 }.count
    }
    return shared.max().map { path[min($0, path.count - 1)] } ?? node
  }
}
