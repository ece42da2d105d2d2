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

/// Ranges of time.
enum Time {
  /// The ranges in order. Those that touch are joined.
  static func union(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// What is left of `range`.
  ///
  /// - Parameter ranges: as `union` returns them.
  static func rest(of range: Range<Int64>, without ranges: [Range<Int64>]) -> [Range<Int64>] {
    let first = ranges.partitioningIndex { $0.upperBound > range.lowerBound }
    let last = max(first, ranges.partitioningIndex { $0.lowerBound >= range.upperBound })
    let parts = ranges[first..<last].map { $0.clamped(to: range) }
    return zip([range.lowerBound] + parts.map(\.upperBound), parts.map(\.lowerBound) + [range.upperBound])
      .map { $0..<max($0, $1) }.filter { !$0.isEmpty }
  }
}
