// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// The slices of a launch, its stack samples, or both, merged by path. A node is a name below a path of names. It
/// says how often that path occurred and how long it took.
///
/// The tree is stored in columns, with one row for each node. A parent comes before its children. The roots are
/// tracks. Slices that began after the launch are not in the tree. Slices that end after it count up to its end.
package struct FlameTree: Sendable {
  /// A row of the tree.
  package typealias Node = Int

  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Work of the main thread or the main actor, entirely or partly.
    package static let mainThread = Flags(rawValue: 1)
    /// A phase that was not recorded: it follows from milestones.
    package static let derivedPhase = Flags(rawValue: 2)
    /// A slice in it never ended.
    package static let unfinished = Flags(rawValue: 4)
    /// Lanes of work that belongs to no thread. Slices in it may overlap.
    package static let async = Flags(rawValue: 8)
    /// Not recorded: it comes from samples. Its time is that of its samples.
    package static let inferred = Flags(rawValue: 16)
    /// Work of the loader. The program did not record it.
    static let loading = Flags(rawValue: 32)
    /// Sampled code of the system or of a language's libraries.
    package static let foreign = Flags(rawValue: 64)
    /// A static initialiser, which the recorder or the observer timed.
    static let initializer = Flags(rawValue: 128)
  }

  /// The slices of one node that exceeded their budget on the main thread.
  package struct OverBudget: Sendable, Equatable {
    package var occurrences: Int
    /// Sum of the times beyond the budgets, ns.
    package var excess: Int64
    /// The longest slice; its time that counts, and its budget, ns.
    package var worst: SliceIndex
    package var time: Int64
    package var budget: Int64
  }

  /// Unit of `total`: `ns`, or that of the samples (`samples`, `cycles`, …).
  package internal(set) var unit = "ns"
  /// True for a tree of samples. Then `calls` is the number of samples with the frame.
  package internal(set) var isSampled = false
  package internal(set) var parent: [Int32] = []
  package internal(set) var calls: [Int32] = []
  /// In `unit`, including children.
  package internal(set) var total: [Int64] = []
  /// First start and last end, ns on the trace's clock.
  package internal(set) var start: [Int64] = []
  package internal(set) var end: [Int64] = []
  package internal(set) var flags: [Flags] = []
  package internal(set) var overBudget = NodesOverBudget()
  /// What is inside of nodes with a smaller total is not in the tree; 0 if the tree is complete.
  package internal(set) var least: Int64 = 0
  /// Slices that began (samples that came) after the launch, and are not in the tree.
  package internal(set) var slicesAfter = 0
  /// String id in `strings`.
  package internal(set) var name: [UInt32] = []
  /// By node: the first child, and the next child of its parent; -1 for none. Empty until the tree is linked.
  var firstChild: [Int32] = []
  var nextSibling: [Int32] = []
  /// The trace's strings, and those of tracks and derived phases.
  package internal(set) var strings: StringTable

  package var count: Int { parent.count }
  /// The tracks: the main thread first, then the other threads and lanes in the order of their first slice.
  package internal(set) var roots: [Node] = []

  package func name(of node: Node) -> String { strings[StringID(rawValue: name[node])] }

  /// True when the tree contains only what follows from milestones.
  package var isBare: Bool {
    flags.indices.allSatisfy { parent[$0] < 0 || !flags[$0].isDisjoint(with: [.derivedPhase, .loading]) }
  }

  /// True when the program named none of the work in the tree.
  package var namesNoWork: Bool {
    flags.indices.allSatisfy { parent[$0] < 0 || !flags[$0].isDisjoint(with: [.derivedPhase, .loading, .initializer]) }
  }

  /// Whether the node is the main thread's unattributed time.
  package func isUnattributed(_ node: Node) -> Bool {
    flags[node].contains(.derivedPhase) && name(of: node) == PhaseName.unattributed
  }

  /// By node: whether it is work of the main thread or the main actor, or around such work.
  package var isOfMainThread: [Bool] { flags.map { $0.contains(.mainThread) }.withParents(parent) }

  /// In the order of their first start.
  package func children(of node: Node) -> [Node] { Array(siblings(from: firstChild[node])) }

  /// A child and those after it; none for -1.
  func siblings(from child: Int32) -> some Sequence<Node> { nextSibling.chain(from: Int(child)) }

  /// By node: the child with the largest total, of several the first one; -1 without children.
  var heaviestChildren: [Int32] {
    firstChild.map { first in
      siblings(from: first).reduce(first) { total[$1] > total[Int($0)] ? Int32(truncatingIfNeeded: $1) : $0 }
    }
  }

  /// The time that its children do not cover, in `unit`; 0 for a track, which has no time of its own. Never negative.
  package func selfTime(of node: Node) -> Int64 {
    if parent[node] < 0 { return 0 }
    return max(0, siblings(from: firstChild[node]).reduce(total[node]) { $0 &- total[$1] })
  }

  /// The own time of a sampled function and of its calls of itself, which no row shows in a report of one screen.
  package func selfTimeWithRecursion(of node: Node) -> Int64 {
    guard isSampled || flags[node].contains(.inferred) else { return selfTime(of: node) }
    var (sum, stack) = (Int64(0), [node])
    while let call = stack.popLast() {
      sum &+= selfTime(of: call)
      stack += children(of: call).filter { name[$0] == name[node] }
    }
    return sum
  }

  /// Names from the track to the node.
  ///
  /// - Parameter innermost: the most names. "…" then takes the place of those further out.
  package func path(of node: Node, innermost most: Int = .max) -> [String] {
    let nodes = Array(parent.chain(from: node).prefix(most))
    var path = nodes.map(name(of:))
    if let outermost = nodes.last, parent[outermost] >= 0 { path[path.count - 1] = "…" }
    return path.reversed()
  }
}
