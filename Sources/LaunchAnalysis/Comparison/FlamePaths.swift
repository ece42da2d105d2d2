// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The paths of a flame tree that are compared. Names of tracks and functions are those that other launches have, too.
struct FlamePaths {
  /// Paths are cut at this depth.
  private static let deepest = 64
  /// With more paths, those of less than a ten-thousandth of the largest track are left out: every launch of a comparison
  /// keeps its own.
  static let most = 4000

  private let tree: FlameTree
  /// By node: itself, or the innermost node around it that is compared; -1 for none.
  private let kept: [Int32]

  init(_ tree: FlameTree) {
    self.tree = tree
    let whole = tree.roots.map { tree.total[$0] }.max() ?? 0
    let least = TreeGrain(most: Self.most, kept: whole / 10_000).least(tree.total)
    let depths = RowsByDepth.depths(tree.parent)
    var kept = [Int32](repeating: -1, count: tree.count)
    // A parent comes before its children.
    for node in 0..<tree.count {
      let parent = Int(tree.parent[node])
      let isKept = depths[node] < Self.deepest && tree.total[node] >= least
      kept[node] = isKept ? Int32(truncatingIfNeeded: node) : parent >= 0 ? kept[parent] : -1
    }
    self.kept = kept
  }

  /// ns by path, in the tree's unit if that is another one.
  var times: [[String]: Int64] {
    var times: [[String]: Int64] = [:]
    for node in kept.indices where Int(kept[node]) == node { times[path(of: node), default: 0] += tree.total[node] }
    return times
  }

  /// The path of a node, or of the innermost one around it that is compared; nil if there is none.
  func path(around node: Int32) -> [String]? {
    guard kept.indices.contains(Int(node)), kept[Int(node)] >= 0 else { return nil }
    return path(of: Int(kept[Int(node)]))
  }

  /// Names from the track on. Those of functions that samples saw begin with `~`, as in reports.
  private func path(of node: FlameTree.Node) -> [String] {
    var path = tree.parent.chain(from: node).map { place in
      let mark = tree.flags[place].contains(.inferred) ? String(Measurement.sampledMark) : ""
      return mark + Trace.nameInSeries(tree.name(of: place))
    }
    path[path.count - 1] = Self.withoutNumber(path[path.count - 1])
    return path.reversed()
  }

  /// The title of a track without its thread ID, which differs in every launch.
  private static func withoutNumber(_ title: String) -> String {
    let words = title.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1, let last = words.last else { return title }
    let digits = last.drop { $0 == "(" }
    return digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ")") }
      ? words.dropLast().joined(separator: " ") : title
  }
}
