// SPDX-License-Identifier: Apache-2.0

/// The tree of spans with the functions that samples saw in them.
struct MergedTree: Sendable {
  var tree: FlameTree
  /// By node of a function: the node of the samples' tree that made it first.
  var origins: [Int32: Int32] = [:]
}
