// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Distinct strings, numbered in the order in which they came. Those of a trace may be a million, and are not copied.
struct NumberedStrings {
  private var table: StringTable
  /// Ids of `table`, by row.
  private var ids: [UInt32] = []
  /// By id of `table`; -1 for a string that has no row. Ids after the last one that has a row are not listed.
  private var rows: [Int32] = []

  /// - Parameter table: the strings of a trace, which gets no rows by itself.
  init(_ table: StringTable) { self.table = table }

  mutating func row(of string: String) -> Int32 {
    let id = table.intern(string).rawValue
    if id >= rows.count { rows += repeatElement(-1, count: Int(id) + 1 - rows.count) }
    if rows[Int(id)] < 0 {
      rows[Int(id)] = Int32(truncatingIfNeeded: ids.count)
      ids.append(id)
    }
    return rows[Int(id)]
  }

  subscript(row: Int32) -> String { table[StringID(rawValue: ids[Int(row)])] }
  var values: some Sequence<String> { ids.lazy.map { table[StringID(rawValue: $0)] } }
}
