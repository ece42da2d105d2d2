// SPDX-License-Identifier: Apache-2.0

/// Searching among all doubles.
enum DoubleSearch {
  /// The least number of a range for which a condition holds, found exactly by bisection. The condition must hold for
  /// the range's end, and for all numbers above one for which it holds.
  static func least(in range: ClosedRange<Double>, where holds: (Double) -> Bool) -> Double {
    var (first, last) = (position(range.lowerBound), position(range.upperBound))
    while first < last {
      let middle = first + (last - first) / 2
      if holds(value(middle)) { last = middle } else { first = middle + 1 }
    }
    return value(first)
  }

  /// Finite doubles as integers in the same order: flips the sign bit, and for negative ones all other bits too.
  private static func position(_ value: Double) -> UInt64 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private static func value(_ position: UInt64) -> Double {
    Double(bitPattern: position >> 63 == 1 ? position & ~(1 << 63) : ~position)
  }
}
