// SPDX-License-Identifier: Apache-2.0

/// Measured values of several launches, by rank: a median and a spread that one bad launch does not move.
package struct Distribution: Sendable, Equatable {
  /// Ascending; not empty.
  package let values: [Int64]

  /// nil for no values.
  package init?(_ values: [Int64]) {
    if values.isEmpty { return nil }
    self.values = values.sorted()
  }

  package var count: Int { values.count }
  package var minimum: Int64 { values[0] }
  package var maximum: Int64 { values[values.count - 1] }
  package var median: Int64 { quantile(0.5) }

  /// Linear between the closest ranks (Hyndman and Fan 1996, type 7).
  package func quantile(_ fraction: Double) -> Int64 {
    let place = fraction * Double(values.count - 1)
    let lower = min(max(Int(place), 0), values.count - 1)
    let upper = min(lower + 1, values.count - 1)
    let part = Double(values[upper] - values[lower]) * (place - Double(lower))
    return values[lower] + Int64(part.rounded())
  }

  /// Median of the distances from the median. No factor: it is not scaled to a standard deviation.
  package var medianAbsoluteDeviation: Int64 {
    let median = median
    return Distribution(values.map { abs($0 - median) })?.median ?? 0
  }

  /// From how many values on the tenth and the ninetieth percentile are shown, and not the least and the greatest.
  package static let percentilesFrom = 10

  /// The percentiles of slow launches, if there are enough values: at least one must be larger.
  package var tail: [(percent: Int, value: Int64)] {
    [90, 95, 99].filter { count >= 20 && count * (100 - $0) >= 100 }.map { ($0, quantile(Double($0) / 100)) }
  }

  /// The spread as reports show it: p10…p90 of ten values or more, else least…greatest.
  package var spread: ClosedRange<Int64> {
    count >= Self.percentilesFrom ? quantile(0.1)...quantile(0.9) : minimum...maximum
  }
}
