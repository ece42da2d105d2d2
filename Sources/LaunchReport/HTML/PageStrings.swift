// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The distinct strings of a launch's data, each written once.
struct PageStrings {
  /// Longer names are cut, because a file may contain a million of them.
  static let longest = 4096
  /// The names of functions that get a short name, all together, bytes.
  private static let mostShortened = 8_000_000

  /// The strings of the trace, and those that only the page has.
  private var numbered: NumberedStrings
  /// How many strings the trace has.
  private let common: Int
  /// The row of a function's name, and that of its short name, if it has one.
  private(set) var shortNames: [(name: Int64, short: Int64)] = []
  private var functions: Set<Int64> = []
  private var shortened = 0

  init(_ table: StringTable) {
    numbered = NumberedStrings(table)
    common = table.count
    _ = numbered.row(of: .empty)
  }

  var count: Int { numbered.count }

  /// By row.
  var strings: some Sequence<String> { numbered.values }

  mutating func row(of string: String) -> Int64 { Int64(numbered.row(of: PlainName.cut(string, to: Self.longest))) }

  /// The row of a string of the trace.
  mutating func row(of id: UInt32) -> Int64 {
    let id = StringID(rawValue: id)
    let string = numbered.table[id]
    if string.isEmpty { return 0 }
    return string.utf8.count > Self.longest ? row(of: string) : Int64(numbered.row(of: id))
  }

  /// The row of a function's name. Boxes show its short name, whose beginning says more.
  mutating func row(ofFunction id: UInt32, in longer: StringTable) -> Int64 {
    let row = row(of: id, in: longer)
    guard shortened < Self.mostShortened, functions.insert(row).inserted else { return row }
    let name = longer[StringID(rawValue: id)]
    shortened += name.utf8.count
    let short = ShortName.of(name)
    if short != name { shortNames.append((row, self.row(of: short))) }
    return row
  }

  /// The row of a string of a table that continues the trace's.
  mutating func row(of id: UInt32, in longer: StringTable) -> Int64 {
    id < common ? row(of: id) : row(of: longer[StringID(rawValue: id)])
  }
}
