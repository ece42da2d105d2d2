// SPDX-License-Identifier: Apache-2.0

/// Work of the main thread that was not recorded: consecutive samples found the same function, with the same callers.
package struct InferredSpan: Sendable, Equatable {
  /// The function's node in the tree of samples.
  package var node: FlameTree.Node
  /// ns on the trace's clock; each end may be off by half of `error`.
  package var start: Int64
  package var end: Int64
  /// How far the duration may be off: a sampling period, ns.
  package var error: Int64
  /// The recorded interval that contains it, -1 for none.
  package var slice: Int32

  package var duration: Int64 { end - start }
}
