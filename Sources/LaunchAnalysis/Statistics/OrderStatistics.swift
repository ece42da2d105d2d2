// SPDX-License-Identifier: Apache-2.0

/// Numbers that can be asked for by rank, without computing all of them.
package protocol OrderStatistics {
  /// How many there are.
  var count: Int { get }

  /// The k-th smallest, k from 1 to `count`; NaN if there are none.
  func smallest(_ k: Int) -> Double
}

extension OrderStatistics {
  /// The middle one, or the mean of the two in the middle.
  package var median: Double {
    let lower = smallest((count + 1) / 2)
    return count % 2 == 1 ? lower : (lower + smallest(count / 2 + 1)) / 2
  }
}
