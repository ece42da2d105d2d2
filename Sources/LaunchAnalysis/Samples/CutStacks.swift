// SPDX-License-Identifier: Apache-2.0

/// Tells stacks whose outer part is missing: unwinding failed, or the copy of the stack was too short.
struct CutStacks {
  /// By node: its outermost function is one with which threads begin.
  private var isRooted: [Bool]
  /// By node: its outermost function has callers elsewhere.
  private var lacksCallers: [Bool]
  private let parent: [Int32]

  init(_ tree: FlameTree) {
    let entries = EntryFrames(tree)
    parent = tree.parent
    let nodes = 0..<tree.count
    let isOutermost = nodes.map { tree.parent[$0] >= 0 && tree.parent[Int(tree.parent[$0])] < 0 }
    isRooted = nodes.map { isOutermost[$0] && entries.contains(Int32(truncatingIfNeeded: $0)) }
    lacksCallers = isRooted
    var called: Set<UInt32> = []
    // A parent has a smaller number than its children.
    for node in nodes where tree.parent[node] >= 0 && !isOutermost[node] {
      isRooted[node] = isRooted[Int(tree.parent[node])]
      if isRooted[node] { called.insert(tree.name[node]) }
    }
    for node in nodes {
      lacksCallers[node] =
        isOutermost[node]
        ? !isRooted[node] && called.contains(tree.name[node])
        : tree.parent[node] >= 0 && lacksCallers[Int(tree.parent[node])]
    }
  }

  /// Whether a stack lacks outer calls. A coroutine has a stack of its own, which is whole.
  ///
  /// - Parameter outermost: the outermost of the calls that were open before.
  func isCut(_ node: Int32, after outermost: Int32) -> Bool {
    guard isRooted[Int(outermost)], !isRooted[Int(node)] else { return false }
    let caller = parent[Int(node)]
    let isSingle = caller < 0 || parent[Int(caller)] < 0
    return isSingle || lacksCallers[Int(node)]
  }
}
