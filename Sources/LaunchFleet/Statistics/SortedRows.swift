// SPDX-License-Identifier: Apache-2.0

/// The rows that have a value of a column, in its order.
struct SortedRows {
  let rows: [UInt32]

  /// Radix sort of the bits: of numbers that are not negative they grow with the value.
  init(_ values: [Float]) {
    var keys: [UInt64] = []
    keys.reserveCapacity(values.count)
    for (row, value) in values.enumerated() where !value.isNaN {
      keys.append(UInt64(max(0, value).bitPattern) << 32 | UInt64(row))
    }
    if keys.count < 4096 {
      keys.sort()
    } else {
      var other = [UInt64](repeating: 0, count: keys.count)
      for shift in [32, 43, 54] as [UInt64] {
        Self.pass(keys, into: &other, shift)
        swap(&keys, &other)
      }
    }
    rows = keys.map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func pass(_ from: [UInt64], into to: inout [UInt64], _ shift: UInt64) {
    var places = [Int](repeating: 0, count: 2049)
    for key in from { places[Int((key >> shift) & 2047) + 1] += 1 }
    for digit in 1..<places.count { places[digit] += places[digit - 1] }
    for key in from {
      let digit = Int((key >> shift) & 2047)
      to[places[digit]] = key
      places[digit] += 1
    }
  }
}

/// The values of a column by group, each group in ascending order.
struct GroupedSamples {
  private let values: [Float]
  /// Launches up to each value of its group; empty when each value is that of one launch.
  private let ranks: [Int]
  /// Weights up to each value of its group; empty when every launch counts once.
  private let cumulated: [Double]
  private let squares: [Double]
  private let starts: [Int]
  private let ends: [Int]

  /// - Parameter groups: of the rows' numbers; −1 is left out.
  init(_ column: MetricColumn, _ order: SortedRows, _ groups: RowGroups, weights: [Float]?) {
    var starts = [Int](repeating: 0, count: groups.count + 1)
    for row in order.rows { if groups.numbers[Int(row)] >= 0 { starts[Int(groups.numbers[Int(row)]) + 1] += 1 } }
    for group in 0..<groups.count { starts[group + 1] += starts[group] }
    let isCounted = !column.counts.isEmpty
    var (ends, values) = (starts, [Float](repeating: 0, count: starts[groups.count]))
    var ranks = [Int](repeating: 0, count: isCounted ? values.count : 0)
    var cumulated = [Double](repeating: 0, count: weights == nil ? 0 : values.count)
    var squares = [Double](repeating: 0, count: weights == nil ? 0 : groups.count)
    for row in order.rows {
      let (row, group) = (Int(row), Int(groups.numbers[Int(row)]))
      guard group >= 0 else { continue }
      let records = isCounted ? Int(column.counts[row]) : 1
      guard records > 0 else { continue }
      let last = ends[group] - 1
      let isFirst = last < starts[group]
      // Two cells may have launches in the same bin.
      let place = isCounted && !isFirst && values[last] == column.values[row] ? last : last + 1
      ends[group] = place + 1
      values[place] = column.values[row]
      if isCounted { ranks[place] = records + (isFirst ? 0 : ranks[last]) }
      if let weights {
        let weight = Double(weights[row])
        cumulated[place] = weight * Double(records) + (isFirst ? 0 : cumulated[last])
        squares[group] += weight * weight * Double(records)
      }
    }
    (self.values, self.ranks, self.cumulated, self.squares) = (values, ranks, cumulated, squares)
    (self.starts, self.ends) = (starts, ends)
  }

  subscript(group: Int) -> FleetSample {
    let range = starts[group]..<ends[group]
    return FleetSample(
      values: values[range], ranks: ranks.isEmpty ? [] : ranks[range],
      cumulated: cumulated.isEmpty ? [] : cumulated[range], squares: squares.isEmpty ? 0 : squares[group])
  }
}
