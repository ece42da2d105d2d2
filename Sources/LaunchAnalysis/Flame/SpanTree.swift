// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The tree of spans while it is built: the node of each slice, and where else nodes may be added.
struct SpanTree: Sendable {
  /// The node of a phase that was not recorded, or of a part of one.
  struct Derived: Sendable {
    var start: Int64
    var end: Int64
    var node: Int32
    /// The node of the whole phase, and its end.
    var whole: (node: Int32, end: Int64)
  }

  var tree: FlameTree
  var index: RowIndex
  /// By slice: its node, or the node of the nearest slice around it that has one; -1 for a slice after the launch.
  var nodes: [Int32]
  /// Those of the main thread, in order of time.
  var derived: [Derived]
  /// By track; -1 if the tree has nothing of it yet.
  var rootOfTrack: [Int32]

  mutating func root(of track: Int32, title: @autoclosure () -> String, isMain: Bool) -> Int32 {
    if rootOfTrack[Int(track)] >= 0 { return rootOfTrack[Int(track)] }
    let root = tree.add(name: tree.strings.intern(title()).rawValue, parent: -1)
    if isMain { tree.flags[Int(root)].insert(.mainThread) }
    rootOfTrack[Int(track)] = root
    return root
  }

  /// The derived phase that contains `time`; -1 if none does.
  func derivedNode(at time: Int64) -> Int32 {
    let low = derived.partitioningIndex { $0.start > time }
    return low > 0 && time < derived[low - 1].end ? derived[low - 1].node : -1
  }

  consuming func linked() -> FlameTree {
    tree.link()
    return tree
  }
}
