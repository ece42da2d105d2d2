// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The recorded interval in which each sample was taken.
struct SampleContexts: Sendable {
  /// By sample: the innermost slice that contained it on its thread, -1 for none.
  private(set) var slices: [Int32]
  /// By sample: the node of that slice, or of the phase or the thread; -1 for a sample that is not in the tree.
  private(set) var nodes: [Int32]
  /// By node of the samples' tree: the innermost node of the spans' tree that contains all its samples.
  private(set) var holders: [Int32]

  /// Adds a root to the spans' tree for each thread that it lacks.
  init(_ trace: Trace, spans: SpanTable, samples: SampleTree, in spanTree: inout SpanTree, mainThread: Int32) {
    slices = spans.innermost(on: trace.samples.track, at: trace.samples.time, trackCount: trace.tracks.count)
    nodes = [Int32](repeating: -1, count: trace.samples.count)
    holders = [Int32](repeating: -1, count: samples.tree.count)
    var common = CommonNodes()
    for row in 0..<trace.samples.count where samples.nodes[row] >= 0 && trace.samples.track[row] >= 0 {
      let track = trace.samples.track[row]
      let isMain = track == mainThread
      var context = slices[row] >= 0 ? spanTree.nodes[Int(slices[row])] : -1
      if context < 0, isMain { context = spanTree.derivedNode(at: trace.samples.time[row]) }
      if context < 0 {
        context = spanTree.root(of: track, title: trace.title(ofTrack: track, isMain: isMain), isMain: isMain)
      }
      nodes[row] = context
      let node = Int(samples.nodes[row])
      holders[node] = holders[node] < 0 ? context : common.node(holders[node], context, of: spanTree.tree)
    }
    for node in stride(from: samples.tree.count - 1, through: 0, by: -1) where holders[node] >= 0 {
      let outer = Int(samples.tree.parent[node])
      guard outer >= 0 else { continue }
      holders[outer] =
        holders[outer] < 0 ? holders[node] : common.node(holders[outer], holders[node], of: spanTree.tree)
    }
  }
}
