// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds stacks of waits in the tree of samples, which has only what samples saw.
struct WaitStackNodes {
  private let trace: Trace
  private let samples: SampleTree
  /// By parent and name.
  private var children: [UInt64: Int32] = [:]
  /// By track, then by row of the stacks: the innermost node that contains it.
  private var nodes: [Int32: [Int32]] = [:]
  private var names: FrameNames
  private var strings: StringTable

  init(_ trace: Trace, _ samples: SampleTree) {
    (self.trace, self.samples, strings) = (trace, samples, samples.tree.strings)
    names = FrameNames(trace)
    let tree = samples.tree
    for node in 0..<tree.count where tree.parent[node] >= 0 {
      children[Self.key(tree.parent[node], tree.name[node])] = Int32(truncatingIfNeeded: node)
    }
  }

  /// The innermost node that contains a stack of a thread; -1 if the thread has no samples.
  ///
  /// - Parameter sample: a sample of that thread which is in the tree.
  mutating func node(of stack: Int32, on track: Int32, besides sample: Int) -> Int32 {
    if nodes[track] == nil { nodes[track] = all(below: root(of: samples.nodes[sample])) }
    return nodes[track]?[Int(stack)] ?? -1
  }

  private func root(of node: Int32) -> Int32 {
    var node = node
    while node >= 0, samples.tree.parent[Int(node)] >= 0 { node = samples.tree.parent[Int(node)] }
    return node
  }

  private mutating func all(below root: Int32) -> [Int32] {
    let caller = trace.stacks.caller
    var found = [Int32](repeating: root, count: caller.count)
    var isWhole = [Bool](repeating: true, count: caller.count)
    // A caller has a smaller row.
    for row in caller.indices {
      let outer = Int(caller[row])
      let parent = outer >= 0 ? found[outer] : root
      let name = names.name(of: Int32(truncatingIfNeeded: row), of: trace, in: &strings)
      let child = outer >= 0 && !isWhole[outer] ? nil : children[Self.key(parent, name)]
      (found[row], isWhole[row]) = (child ?? parent, child != nil)
    }
    return found
  }

  private static func key(_ parent: Int32, _ name: UInt32) -> UInt64 {
    UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(name)
  }
}
