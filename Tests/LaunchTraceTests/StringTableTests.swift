// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

struct StringTableTests {
  /// Of a large index, half was free after it doubled.
  @Test func aLargeIndexGrowsByAQuarter() {
    var index = RowIndex()
    for row in 0..<RowIndex.large { index.add(row, hash: RowHash.of(UInt64(row))) }
    #expect(index.slots.count == RowIndex.large * 25 / 16)
    for row in stride(from: 0, to: RowIndex.large, by: 1001) {
      #expect(index.row(hash: RowHash.of(UInt64(row))) { $0 == row } == row)
    }
  }

  /// Ids are the same before and after. A copy has its own strings behind the shared ones.
  @Test func copiesShareWhatWasReadAndAddTheirOwn() {
    var table = StringTable()
    let ids = ["a", "b", ""].map { table.intern($0) }
    table.share()
    #expect(ids.map { table[$0] } == ["a", "b", ""] && table.count == 3)
    var (first, second) = (table, table)
    #expect(first.intern("b") == ids[1] && first.intern("c") == StringID(rawValue: 3))
    #expect(second.intern("d") == StringID(rawValue: 3) && second.intern("d") == StringID(rawValue: 3))
    #expect(first[StringID(rawValue: 3)] == "c" && second[StringID(rawValue: 3)] == "d")
    #expect(table[StringID(rawValue: 3)] == "" && table.id(of: "c") == nil && first.id(of: "c")?.rawValue == 3)
    first.share()
    #expect(first[ids[0]] == "a" && first.id(of: "a") == ids[0] && first.count == 4)
  }
}
