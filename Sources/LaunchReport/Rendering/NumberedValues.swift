// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Distinct strings, numbered in the order in which they came. Those of a trace may be a million, and are not copied:
/// beside them, a string with a row takes eight bytes.
struct NumberedStrings {
  private(set) var table: StringTable
  /// Ids of `table`, by row.
  private var ids: [UInt32] = []
  /// By id of `table`; -1 for a string that has no row. Ids after the last one that has a row are not listed.
  private var rows: [Int32] = []

  /// - Parameter table: the strings of a trace, which gets no rows by itself.
  init(_ table: StringTable) { self.table = table }

  mutating func row(of string: String) -> Int32 { row(of: table.intern(string)) }

  /// The row of a string of `table`.
  mutating func row(of id: StringID) -> Int32 {
    let place = Int(id.rawValue)
    if place >= rows.count { rows += repeatElement(-1, count: place + 1 - rows.count) }
    if rows[place] < 0 {
      rows[place] = Int32(truncatingIfNeeded: ids.count)
      ids.append(id.rawValue)
    }
    return rows[place]
  }

  var count: Int { ids.count }
  subscript(row: Int32) -> String { table[StringID(rawValue: ids[Int(row)])] }
  var values: some Sequence<String> { ids.lazy.map { table[StringID(rawValue: $0)] } }
}

/// Distinct values, numbered in the order in which they came.
struct NumberedRows<Value: Hashable> {
  private(set) var values: [Value] = []
  private var index = RowIndex()

  mutating func row(of value: Value) -> Int32 {
    let hash = UInt32(truncatingIfNeeded: value.hashValue)
    if let row = index.row(hash: hash, isSame: { values[$0] == value }) { return Int32(truncatingIfNeeded: row) }
    index.add(values.count, hash: hash)
    values.append(value)
    return Int32(truncatingIfNeeded: values.count - 1)
  }
}
