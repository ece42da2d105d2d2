// SPDX-License-Identifier: Apache-2.0

/// Index of a slice in `Trace.slices`.
public typealias SliceIndex = Int

/// The slices of a trace as columns, ordered by start, outer slices before inner ones.
///
/// Columns need less memory than objects: a million slices fit in tens of megabytes.
public struct SliceTable: Sendable {
  /// Nanoseconds on the trace's clock.
  public internal(set) var start: [Int64] = []
  /// Nanoseconds; `unfinished` if the file has no end of the slice.
  public internal(set) var duration: [Int64] = []
  public internal(set) var track: [Int32] = []
  public internal(set) var name: [UInt32] = []
  public internal(set) var category: [UInt32] = []
  /// Index of the enclosing slice on the same track, -1 for none.
  public internal(set) var parent: [Int32] = []
  /// The number of slices around this one; 65,535 means 65,535 or more.
  public internal(set) var depth: [UInt16] = []
  /// Row in `Trace.annotations`, 0 for none.
  public internal(set) var annotation: [UInt32] = []
  /// Threads on which an async slice began and ended (indices of `Trace.tracks`, -1 unknown). Other slices have no row.
  public internal(set) var asyncThreads = AsyncThreads()

  public static let unfinished: Int64 = -1

  public init() {}
  public var count: Int { start.count }

  /// Renames a slice, for callers that know a better name than the recorded one.
  package mutating func rename(_ slice: SliceIndex, to name: StringID) { self.name[slice] = name.rawValue }
}

extension SliceTable {
  /// Cuts a slice to a part of its time, for callers that know better than the recorder when its work ran. The slices
  /// inside it that then lie outside belong to the slice around it. Rows keep the order of their starts.
  ///
  /// - Parameter range: ns, inside the slice's time.
  package mutating func narrow(_ slice: SliceIndex, to range: Range<Int64>) {
    let oldEnd = start[slice] + duration[slice]
    for inner in slice + 1..<count {
      if start[inner] > oldEnd { break }
      if parent[inner] == slice, !range.contains(start[inner]) { parent[inner] = parent[slice] }
    }
    start[slice] = range.lowerBound
    duration[slice] = range.upperBound - range.lowerBound
    sort()
    countDepths()
  }

  /// Lets a slice begin later, also one without an end. Rows keep the order of their starts.
  ///
  /// - Parameters:
  ///   - slice: one that has no slices inside it.
  ///   - time: ns, inside the slice's time.
  package mutating func begin(_ slice: SliceIndex, at time: Int64) {
    if duration[slice] >= 0 { duration[slice] -= time - start[slice] }
    start[slice] = time
    sort()
  }

  /// Counts the slices around each slice.
  mutating func countDepths() {
    for row in 0..<count {
      let outer = Int(parent[row])
      depth[row] = outer < 0 ? 0 : depth[outer] == .max ? .max : depth[outer] + 1
    }
  }
}

/// The threads that began and ended each async slice, by slice.
public struct AsyncThreads: Sendable {
  /// Ascending.
  var slices: [Int32] = []
  var begins: [Int32] = []
  var ends: [Int32] = []

  public init() {}
  public var count: Int { slices.count }

  public subscript(slice: SliceIndex) -> (begin: Int32, end: Int32)? {
    guard let row = row(of: slice) else { return nil }
    return (begins[row], ends[row])
  }

  /// Visits the async slices in the order of the table.
  public func visit(_ body: (_ slice: SliceIndex, _ begin: Int32, _ end: Int32) -> Void) {
    for row in slices.indices { body(Int(slices[row]), begins[row], ends[row]) }
  }

  func row(of slice: SliceIndex) -> Int? {
    let low = slices.partitioningIndex { Int($0) >= slice }
    return low < slices.count && Int(slices[low]) == slice ? low : nil
  }
}
