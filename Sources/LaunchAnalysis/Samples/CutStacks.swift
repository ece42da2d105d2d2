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

  /// How many samples lack outer calls, and how many there are. Of other samples, it is not certain.
  static func count(in tree: FlameTree) -> (cut: Int, all: Int) {
    let cut = CutStacks(tree)
    let outermost = tree.roots.flatMap { tree.children(of: $0) }
    func samples(_ nodes: [FlameTree.Node]) -> Int { nodes.reduce(0) { $0 + Int(tree.calls[$1]) } }
    return (samples(outermost.filter { cut.lacksCallers[$0] }), samples(outermost))
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

extension LaunchTimeline {
  /// How many of the launcher's samples lack outer calls, and how many there are; nil if nearly all are whole.
  package var cutSamples: (cut: Int, all: Int)? {
    guard observation != nil, let tree = context.samples?.tree else { return nil }
    let counts = CutStacks.count(in: tree)
    return counts.cut >= Self.leastCut && counts.cut * 20 >= counts.all ? counts : nil
  }

  private static let leastCut = 3

  /// Whether the copies of stacks may have filled the launcher's memory for them, of 64 MiB. A copy has at most 56 KiB.
  package var mayHaveFilledStacks: Bool { trace.samples.count + trace.waitStacks.count >= (64 << 20) / (56 << 10) }
}
