// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The paths that changed the most, and what they are in. Only changes of at least a fiftieth of the largest one and half
/// a percent of the launch count.
///
/// A sampled function that only leads from a sampled one to another, which changed as much, is left out: an interpreter has
/// dozens of them above each other.
struct FlameDifferenceRows {
  struct Row {
    var node: FlameDifference.Node
    /// Number of rows that it is in.
    var depth: Int
  }

  private(set) var shown: [Row] = []
  /// Number of paths that changed and are not shown, without those of `passed`.
  private(set) var hidden = 0
  /// Number of functions that are left out because they only lead to others.
  private(set) var passed = 0

  private static let most = 40
  private static let share = 0.02
  private static let shareOfLaunch = 0.005

  init(_ flame: FlameDifference, depth: Int?) {
    let nodes = flame.nodes.filter { $0.depth < depth ?? .max }
    let largest = nodes.map { abs($0.growth) }.max() ?? 0
    guard largest > 0 else { return }
    let longest = nodes.map(\.base).max() ?? 0
    let least = max(1, Int64(Double(largest) * Self.share), Int64(Double(longest) * Self.shareOfLaunch))
    let parents = Self.parents(nodes)
    let isPassed = Self.onlyLeadingToOthers(nodes, parents, least: least)
    let isShown = Self.chosen(nodes, parents, isPassed: isPassed, least: least)
    // Depths of the nodes as rows.
    var depths = [Int](repeating: 0, count: nodes.count)
    for place in nodes.indices {
      let parent = parents[place]
      depths[place] = parent < 0 ? 0 : depths[parent] + (isShown[parent] ? 1 : 0)
      if isShown[place] {
        shown.append(Row(node: nodes[place], depth: depths[place]))
      } else if isPassed[place] {
        passed += 1
      } else if nodes[place].growth != 0 {
        hidden += 1
      }
    }
  }

  /// The place of each node's parent, -1 for a track. A parent comes before its children.
  private static func parents(_ nodes: [FlameDifference.Node]) -> [Int] {
    var open: [Int] = []
    return nodes.indices.map { place in
      while let last = open.last, nodes[last].depth >= nodes[place].depth { open.removeLast() }
      defer { open.append(place) }
      return open.last ?? -1
    }
  }

  private static func onlyLeadingToOthers(_ nodes: [FlameDifference.Node], _ parents: [Int], least: Int64) -> [Bool] {
    // The only child that changed or has something inside that did; -1 if there is none, -2 if there are several.
    var only = [Int](repeating: -1, count: nodes.count)
    for place in nodes.indices.reversed() where parents[place] >= 0 {
      guard abs(nodes[place].growth) >= least || only[place] != -1 else { continue }
      only[parents[place]] = only[parents[place]] == -1 ? place : -2
    }
    return nodes.indices.map { place in
      guard only[place] >= 0, parents[place] >= 0, nodes[place].isSampled, nodes[parents[place]].isSampled else {
        return false
      }
      return abs(nodes[place].growth - nodes[only[place]].growth) < least
    }
  }

  /// Those that changed the most, with what they are in, as long as there is room.
  private static func chosen(
    _ nodes: [FlameDifference.Node], _ parents: [Int], isPassed: [Bool], least: Int64
  ) -> [Bool] {
    var isShown = [Bool](repeating: false, count: nodes.count)
    var room = most
    let candidates = nodes.indices.filter { abs(nodes[$0].growth) >= least && !isPassed[$0] }
    for place in candidates.sorted(by: { (abs(nodes[$1].growth), $0) < (abs(nodes[$0].growth), $1) }) where room > 0 {
      var new: [Int] = []
      var place = place
      while place >= 0, !isShown[place], new.count <= room {
        if !isPassed[place] { new.append(place) }
        place = parents[place]
      }
      guard new.count <= room else { continue }
      for place in new { isShown[place] = true }
      room -= new.count
    }
    return isShown
  }
}
