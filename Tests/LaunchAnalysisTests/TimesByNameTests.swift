// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

@testable import LaunchAnalysis

/// Times are by the number of a name: a dictionary of as many names as a crafted trace has takes five times as much.
struct TimesByNameTests {
  @Test func namesHaveSumsOrLongestTimes() {
    var strings = StringTable()
    let (first, second) = (strings.intern("first").rawValue, strings.intern("second").rawValue)
    _ = strings.intern("of no interval")
    var (sums, longest) = (TimesByName(strings), TimesByName(strings))
    for (name, time) in [(second, 0), (first, 5), (first, 3)] as [(UInt32, Int64)] {
      sums.add(time, of: name)
      longest.keepLongest(time, of: name)
    }
    #expect(sums.values == [0, 8] && longest.values == [0, 5])
    #expect(sums.pairs().map(\.key) == ["second", "first"])
    #expect(sums.pairs(least: 1).map(\.value) == [8])
  }
}
