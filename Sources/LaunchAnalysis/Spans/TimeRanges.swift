// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Times in which something was so, to ask how much of another time they are.
struct TimeRanges {
  private let starts: [Int64]
  private let ends: [Int64]
  /// Up to the end of each range, ns.
  private var sums: [Int64] = []

  /// ns
  var total: Int64 { sums.last ?? 0 }

  /// - Parameter ranges: in order. They do not overlap.
  init(_ ranges: [Range<Int64>]) {
    (starts, ends) = (ranges.map(\.lowerBound), ranges.map(\.upperBound))
    for range in ranges { sums.append(total + range.upperBound - range.lowerBound) }
  }

  /// How much of them is between two times, ns.
  func time(from lower: Int64, to upper: Int64) -> Int64 { max(0, time(before: upper) - time(before: lower)) }

  private func time(before time: Int64) -> Int64 {
    let place = starts.firstPlace(notBefore: time) - 1
    return place < 0 ? 0 : sums[place] - max(0, ends[place] - time)
  }
}
