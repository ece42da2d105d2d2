// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

struct TimeRangesTests {
  @Test func timeIsCountedWithinTheRanges() {
    let ranges = TimeRanges([10..<20, 20..<25, 40..<50])
    #expect(ranges.total == 25)
    let times: [(Int64, Int64, Int64)] = [
      (0, 10, 0), (0, 11, 1), (12, 15, 3), (15, 45, 15), (25, 40, 0), (49, 99, 1), (9, 5, 0),
    ]
    for (lower, upper, time) in times {
      #expect(ranges.time(from: lower, to: upper) == time, "\(lower) to \(upper)")
    }
    #expect(TimeRanges([]).total == 0 && TimeRanges([]).time(from: 0, to: 9) == 0)
  }
}
