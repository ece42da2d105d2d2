/// Instants: points in time on a track. Ordered by time.
public struct InstantTable: Sendable {
  public internal(set) var time: [Int64] = []
  public internal(set) var track: [Int32] = []
  public internal(set) var name: [UInt32] = []
  public internal(set) var category: [UInt32] = []
  /// Row in `Trace.annotations`.
  public internal(set) var annotation: [UInt32] = []
  public init() {}
  public var count: Int { time.count }
}

/// Counter values. Ordered by time.
public struct CounterTable: Sendable {
  public internal(set) var time: [Int64] = []
  public internal(set) var track: [Int32] = []
  public internal(set) var value: [Double] = []
  public init() {}
  public var count: Int { time.count }
}

/// Stack samples. Ordered by time.
public struct SampleTable: Sendable {
  public internal(set) var time: [Int64] = []
  /// Thread track, -1 if the trace does not say.
  public internal(set) var track: [Int32] = []
  /// Row in `Trace.stacks`, -1 for none.
  public internal(set) var stack: [Int32] = []
  /// How much the sample stands for: ns or a count, as `Trace.sampleUnit` says.
  public internal(set) var weight: [Int64] = []
  public init() {}
  public var count: Int { time.count }
}

/// Call stacks as a tree of frames: a row is a frame and its caller.
public struct StackTable: Sendable {
  /// Row of the caller, -1 for the outermost frame.
  public internal(set) var caller: [Int32] = []
  /// Function name, or `.empty` when only the address is known.
  public internal(set) var function: [UInt32] = []
  /// Path or name of the image, `.empty` if not known.
  public internal(set) var image: [UInt32] = []
  /// Address relative to the image, 0 if not known.
  public internal(set) var address: [UInt64] = []
  public init() {}
  public var count: Int { caller.count }
}
