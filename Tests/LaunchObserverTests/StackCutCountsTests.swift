// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

struct StackCutCountsTests {
  @Test func theMostFrequentCauseIsFirstAndRareOnesAreNone() {
    var cut = StackCutCounts()
    #expect(cut.words.isEmpty)
    for _ in 0..<4 { cut.add(.shortCopy) }
    for _ in 0..<15 { cut.add(.noTables) }
    cut.add(.tooDeep)
    #expect(cut.words == ["no-tables", "short-copy"])
    cut.add(.tooDeep)
    cut.add(.tooDeep)
    #expect(cut.words == ["no-tables", "short-copy", "too-deep"])
  }
}
