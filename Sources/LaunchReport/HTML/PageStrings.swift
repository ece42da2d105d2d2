// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The distinct strings of a launch's data, each written once.
struct PageStrings {
  /// Longer names are cut, because a file may contain a million of them.
  private static let longest = 4096

  private(set) var strings: [String] = [""]
  private var rows: [String: Int64] = ["": 0]
  /// The row for each string id of the trace; -1 if it was not used yet.
  private var known: [Int32]
  private let table: StringTable

  init(_ table: StringTable) {
    self.table = table
    known = [Int32](repeating: -1, count: table.count)
  }

  mutating func row(of string: String) -> Int64 {
    if let row = rows[string] { return row }
    let row = Int64(strings.count)
    strings.append(PlainName.cut(string, to: Self.longest))
    rows[string] = row
    return row
  }

  /// The row of a string of the trace.
  mutating func row(of id: UInt32) -> Int64 {
    let place = Int(id)
    guard place < known.count else { return row(of: table[StringID(rawValue: id)]) }
    if known[place] < 0 { known[place] = Int32(truncatingIfNeeded: row(of: table[StringID(rawValue: id)])) }
    return Int64(known[place])
  }
}
