// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

/// Ids of interned data, in any order and of any size.
struct InternTableTests {
  @Test func laterIDsDoNotHideEarlierOnes() {
    var table = InternTable()
    let ids = [5000, 1023, 3071, 5100] + Array(UInt64(1)...2000)
    for id in ids { table.insert(UInt32(id), id: id) }
    #expect(ids.allSatisfy { table[$0] == UInt32($0) })
    #expect(table[4999] == InternTable.absent && table[.max] == InternTable.absent)
  }

  @Test func theFirstValueCounts() {
    var table = InternTable()
    for id: UInt64 in [3, 1 << 40] {
      table.insert(1, id: id)
      table.insert(2, id: id)
      #expect(table[id] == 1)
    }
  }

  /// An array with a place for each id would have terabytes.
  @Test func idsFarFromEachOtherNeedLittleMemory() {
    var table = InternTable()
    var id: UInt64 = 1023
    while id < 1 << 40 {
      table.insert(UInt32(truncatingIfNeeded: id), id: id)
      #expect(table[id] == UInt32(truncatingIfNeeded: id))
      id = 2 * id + 1025
    }
  }
}
