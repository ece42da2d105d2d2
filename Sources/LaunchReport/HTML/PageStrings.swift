// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The distinct strings of a launch's data, each written once.
struct PageStrings {
  /// Longer names are cut, because a file may contain a million of them.
  private static let longest = 4096

  /// The strings of the trace, and those that only the page has. Beside it, a string of the page takes eight bytes.
  private var table: StringTable
  /// By row of the page: the id in `table`.
  private var ids: [UInt32] = [StringID.empty.rawValue]
  /// How many strings the trace has.
  private let common: Int
  /// By id: the row; -1 if the string was not used yet.
  private var rows: [Int32]

  init(_ table: StringTable) {
    self.table = table
    common = table.count
    rows = [Int32](repeating: -1, count: common)
    rows[0] = 0
  }

  var count: Int { ids.count }

  /// By row.
  var strings: some Sequence<String> { ids.lazy.map { table[StringID(rawValue: $0)] } }

  mutating func row(of string: String) -> Int64 {
    row(ofShort: table.intern(PlainName.cut(string, to: Self.longest)))
  }

  /// The row of a string of the trace.
  mutating func row(of id: UInt32) -> Int64 {
    let string = table[StringID(rawValue: id)]
    if string.isEmpty { return 0 }
    return string.utf8.count > Self.longest ? row(of: string) : row(ofShort: StringID(rawValue: id))
  }

  /// The row of a string of a table that continues the trace's.
  mutating func row(of id: UInt32, in longer: StringTable) -> Int64 {
    id < common ? row(of: id) : row(of: longer[StringID(rawValue: id)])
  }

  private mutating func row(ofShort id: StringID) -> Int64 {
    let place = Int(id.rawValue)
    while rows.count <= place { rows.append(-1) }
    if rows[place] < 0 {
      rows[place] = Int32(truncatingIfNeeded: ids.count)
      ids.append(id.rawValue)
    }
    return Int64(rows[place])
  }
}
