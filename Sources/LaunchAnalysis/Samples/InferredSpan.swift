/// Work of the main thread that nobody recorded: samples that follow each other saw the same function, called from the
/// same ones.
public struct InferredSpan: Sendable, Equatable {
  /// The function's node in the tree of samples.
  public var node: FlameTree.Node
  /// ns on the trace's clock; each end may be off by half of `error`.
  public var start: Int64
  public var end: Int64
  /// How far the duration may be off: a sampling period, ns.
  public var error: Int64
  /// How many samples saw it.
  public var samples: Int
  /// The recorded interval that holds it, -1 for none.
  public var slice: Int32

  public var duration: Int64 { end - start }
}
