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

  @Test func theRestIsWhatTheRangesLeave() {
    let ranges: [Range<Int64>] = [10..<20, 30..<40, 50..<60]
    let rests: [(Range<Int64>, [Range<Int64>])] = [
      (0..<5, [0..<5]), (0..<15, [0..<10]), (12..<18, []), (15..<35, [20..<30]), (20..<30, [20..<30]),
      (5..<70, [5..<10, 20..<30, 40..<50, 60..<70]), (60..<61, [60..<61]), (10..<20, []),
    ]
    for (range, rest) in rests { #expect(Time.rest(of: range, without: ranges) == rest, "\(range)") }
    #expect(Time.rest(of: 0..<5, without: []) == [0..<5])
  }
}
