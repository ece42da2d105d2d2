// SPDX-License-Identifier: Apache-2.0

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
