// SPDX-License-Identifier: Apache-2.0

/// Stacks while a file is read that lists them as nodes with ids. A node names its caller, or what it calls. Either may come
/// later in the file.
///
/// In a Chrome trace, `stackFrames` is one tree of nodes, and each profile of V8 has its own.
struct StackNodes {
  /// A node's id in its tree.
  struct ID: Equatable {
    var tree: Int32
    var number: Int32
  }

  private struct Node {
    var id: ID
    /// The number of its caller; `outermost` if it has none.
    var caller: Int32
    /// The place of its frame in the trace; -1 for a node that is not a function.
    var frame: Int32
  }

  private static let outermost = Int32.min
  private static let unmade = Int32.min

  private var nodes: [Node] = []
  private var index = RowIndex()
  /// The row of each node in the trace's stacks; -1 for none.
  private var rows: [Int32] = []

  /// Adds a node; the first one with an id counts. What is beyond the limit for the file's size is left out.
  mutating func add(_ id: ID, caller: Int32?, frame: Int32, _ builder: inout TraceBuilder) {
    let hash = Self.hash(id)
    if index.row(hash: hash, isSame: { nodes[$0].id == id }) != nil { return }
    guard nodes.count < TraceLimits.nodes(bytes: builder.bytes) else {
      builder.trace.statistics.cutStacks += 1
      return
    }
    nodes.append(Node(id: id, caller: caller ?? Self.outermost, frame: frame))
    index.add(nodes.count - 1, hash: hash)
  }

  /// Names the caller of a node that has been added. The first one counts.
  mutating func call(_ id: ID, from caller: Int32) {
    guard let place = place(id), nodes[place].caller == Self.outermost else { return }
    nodes[place].caller = caller
  }

  /// Adds the rows of all nodes to the trace's stacks.
  mutating func makeRows(_ builder: inout TraceBuilder) {
    rows = [Int32](repeating: Self.unmade, count: nodes.count)
    var depths = [UInt16](repeating: 0, count: nodes.count)
    var path: [Int] = []
    for first in nodes.indices {
      var next = first
      // Outwards, up to a caller that has a row. In a circle of callers, one counts as the outermost.
      while next >= 0, rows[next] == Self.unmade {
        rows[next] = -1
        path.append(next)
        next = callerPlace(next)
      }
      var row = next >= 0 ? rows[next] : -1
      var depth = next >= 0 ? depths[next] : 0
      while let place = path.popLast() {
        if nodes[place].frame >= 0, depth < StackInterning.longestStack,
          let made = builder.row(of: nodes[place].frame, below: row)
        {
          row = made
          depth += 1
        }
        rows[place] = row
        depths[place] = depth
      }
    }
  }

  /// After `makeRows`: a node's row in the trace's stacks, -1 for none, and its frame.
  func node(_ id: ID) -> (row: Int32, frame: Int32)? {
    place(id).map { (rows[$0], nodes[$0].frame) }
  }

  private func place(_ id: ID) -> Int? { index.row(hash: Self.hash(id)) { nodes[$0].id == id } }

  /// -1 for none.
  private func callerPlace(_ node: Int) -> Int {
    if nodes[node].caller == Self.outermost { return -1 }
    return place(ID(tree: nodes[node].id.tree, number: nodes[node].caller)) ?? -1
  }

  private static func hash(_ id: ID) -> UInt32 {
    RowHash.of(UInt64(UInt32(bitPattern: id.tree)) << 32 | UInt64(UInt32(bitPattern: id.number)))
  }
}
