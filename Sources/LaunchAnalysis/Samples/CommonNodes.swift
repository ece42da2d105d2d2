// SPDX-License-Identifier: Apache-2.0

/// Finds the innermost node that contains two nodes of a tree, in a time that hardly grows with their depth: a trace may nest
/// to any depth.
struct CommonNodes {
  private var depths: [Int32] = []
  /// By node: one further out. Jumps of 1, 3, 7, … levels follow each other, so that a few of them lead to any level.
  private var jumps: [Int32] = []

  /// - Parameter tree: the same at each call, perhaps with more nodes.
  /// - Returns: -1 for nodes of two tracks.
  mutating func node(_ first: Int32, _ second: Int32, of tree: FlameTree) -> Int32 {
    if first == second || first < 0 || second < 0 { return min(first, second) }
    addNodes(of: tree.parent)
    var (one, other) = (first, second)
    if depths[Int(one)] < depths[Int(other)] { swap(&one, &other) }
    while depths[Int(one)] > depths[Int(other)] {
      let jump = jumps[Int(one)]
      one = depths[Int(jump)] >= depths[Int(other)] ? jump : tree.parent[Int(one)]
    }
    while one != other {
      if depths[Int(one)] == 0 { return -1 }
      // Nodes of the same depth have jumps of the same length.
      let jump = (jumps[Int(one)], jumps[Int(other)])
      (one, other) = jump.0 != jump.1 ? jump : (tree.parent[Int(one)], tree.parent[Int(other)])
    }
    return one
  }

  private mutating func addNodes(of parents: [Int32]) {
    // A parent has a smaller number than its children.
    for node in depths.count..<parents.count {
      let parent = Int(parents[node])
      guard parent >= 0 else {
        depths.append(0)
        jumps.append(Int32(truncatingIfNeeded: node))
        continue
      }
      let jump = Int(jumps[parent])
      let isTwice = depths[parent] - depths[jump] == depths[jump] - depths[Int(jumps[jump])]
      depths.append(depths[parent] + 1)
      jumps.append(isTwice ? jumps[jump] : Int32(truncatingIfNeeded: parent))
    }
  }
}

extension FlameTree {
  /// The innermost node that contains both; -1 for nodes of two tracks. It takes a step for each level between them.
  func commonNode(_ first: Int32, _ second: Int32) -> Int32 { parent.common(first, second) }
}
