// SPDX-License-Identifier: Apache-2.0

/// What is over budget in a tree, by node. In a crafted trace that is each of a million nodes. Those that come first are
/// known: the outermost ones of a tree for a screen, and the earliest ones of a whole tree.
package struct NodesOverBudget: Sendable {
  static let most = 1 << 16

  /// In the order in which they were found.
  package private(set) var nodes: [Int32] = []
  /// By place in `nodes`.
  private var values: [FlameTree.OverBudget] = []
  /// By node: its place in `nodes`, -1 for none. Nodes after the last one over budget are not listed.
  private var places: [Int32] = []

  package var isEmpty: Bool { nodes.isEmpty }
  /// Whether there may be more of them than are known.
  var isFull: Bool { nodes.count >= Self.most }

  package internal(set) subscript(node: FlameTree.Node) -> FlameTree.OverBudget? {
    get {
      guard places.indices.contains(node), places[node] >= 0 else { return nil }
      return values[Int(places[node])]
    }
    set {
      guard let newValue else { return }
      if node >= places.count, !isFull { places += repeatElement(-1, count: node + 1 - places.count) }
      if places.indices.contains(node), places[node] >= 0 {
        values[Int(places[node])] = newValue
      } else if !isFull {
        places[node] = Int32(truncatingIfNeeded: nodes.count)
        nodes.append(Int32(truncatingIfNeeded: node))
        values.append(newValue)
      }
    }
  }
}
