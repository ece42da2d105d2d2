// SPDX-License-Identifier: Apache-2.0

/// The rows of a table by group: a number each, −1 for those that are in none.
struct RowGroups: Sendable {
  private(set) var numbers: [Int32]
  private(set) var count: Int
  var indices: Range<Int> { 0..<count }

  /// All rows in one group, but those that `includes` leaves out.
  init(_ table: FleetTable, where includes: [Bool]? = nil) {
    numbers = includes.map { $0.map { $0 ? 0 : -1 } } ?? [Int32](repeating: 0, count: table.count)
    count = 1
  }

  /// All rows that are in a group, in one.
  init(joining groups: RowGroups) {
    numbers = groups.numbers.map { min($0, 0) }
    count = 1
  }

  /// - Parameter numbers: below `count`.
  init(numbers: [Int32], count: Int) { (self.numbers, self.count) = (numbers, count) }

  /// Without the launches that failed. Their phases may be of another kind, such as one that hung, and few know their total.
  func completed(in table: FleetTable) -> RowGroups {
    RowGroups(numbers: numbers.indices.map { table.hasFailed($0) == true ? -1 : numbers[$0] }, count: count)
  }

  /// Only these groups, in this order.
  func renumbered(_ kept: [Int]) -> RowGroups {
    var places = [Int32](repeating: -1, count: count)
    for (place, group) in kept.enumerated() { places[group] = Int32(place) }
    return RowGroups(numbers: numbers.map { $0 < 0 ? -1 : places[Int($0)] }, count: kept.count)
  }

  /// Each group divided by the values of a column; a group that gets no rows gets no number.
  ///
  /// - Returns: also, by new group, the old one and the code.
  consuming func divided(by column: LabelColumn) -> (groups: RowGroups, origins: [(parent: Int, code: UInt16)]) {
    let origins = divide(by: column.codes)
    return (self, origins)
  }

  /// Each group divided by the values of all these columns.
  consuming func divided(by columns: [LabelColumn]) -> RowGroups {
    for column in columns { _ = divide(by: column.codes) }
    return self
  }

  /// In place: a table may have many millions of rows.
  private mutating func divide(by codes: [UInt16]) -> [(parent: Int, code: UInt16)] {
    var made: [UInt64: Int32] = [:]
    var origins: [(parent: Int, code: UInt16)] = []
    var (lastKey, lastNumber) = (UInt64.max, Int32(-1))
    for row in numbers.indices where numbers[row] >= 0 {
      let key = UInt64(numbers[row]) << 16 | UInt64(codes[row])
      if key != lastKey {
        lastKey = key
        if let number = made[key] {
          lastNumber = number
        } else {
          lastNumber = Int32(origins.count)
          made[key] = lastNumber
          origins.append((Int(numbers[row]), codes[row]))
        }
      }
      numbers[row] = lastNumber
    }
    count = origins.count
    return origins
  }

  /// By group, how many launches with a value of a metric its rows represent.
  func records(of column: MetricColumn) -> [Int] {
    var sizes = [Int](repeating: 0, count: count)
    for row in numbers.indices where numbers[row] >= 0 { sizes[Int(numbers[row])] += column.records(row) }
    return sizes
  }
}
