// SPDX-License-Identifier: Apache-2.0

/// Instants on tracks, ordered by time.
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
  /// The weight of the sample: ns or a count, in the unit `Trace.sampleUnit`.
  public internal(set) var weight: [Int64] = []
  public init() {}
  public var count: Int { time.count }
}

extension SampleTable {
  /// The median, because the first and the last sample of a profiler often weigh more; nil without samples.
  package var usualWeight: Int64? {
    // Most profilers give each sample the same weight: a million of them need no sorting.
    guard let first = weight.first, !weight.allSatisfy({ $0 == first }) else { return weight.first }
    return weight.sorted()[weight.count / 2]
  }

  mutating func append(time: Int64, track: Int32, stack: Int32, weight: Int64) {
    self.time.append(time)
    self.track.append(track)
    self.stack.append(stack)
    self.weight.append(weight)
  }

  /// The track of a row that `removeLeftOut` removes.
  private static let leftOut = TrackID(rawValue: .min)

  mutating func leaveOut(_ row: Int) { track[row] = Self.leftOut.rawValue }

  mutating func removeLeftOut() { remove(track: Self.leftOut) }

  /// Replaces the stack of each sample by its row in `rows`.
  package mutating func moveStacks(to rows: [Int32]) {
    for sample in stack.indices where stack[sample] >= 0 { stack[sample] = rows[Int(stack[sample])] }
  }
}
