// SPDX-License-Identifier: Apache-2.0

/// Order statistics of all differences between two samples. There are n·m differences of n and m launches, but only
/// three are needed, so they are not all computed.
///
/// In a matrix of sorted values they grow along rows and columns. So one walk along the staircase counts those up to
/// a bound.
package struct PairwiseOrder: OrderStatistics, Sendable {
  package let count: Int
  private let rows: [Double]
  private let columns: [Double]

  /// The differences h − b.
  package init(differencesOf head: [Double], from base: [Double]) {
    rows = head.sorted()
    columns = base.map { -$0 }.sorted()
    count = head.count * base.count
  }

  package func smallest(_ k: Int) -> Double {
    guard let low = rows.first, let high = rows.last, let least = columns.first, let greatest = columns.last else {
      return .nan
    }
    return DoubleSearch.least(in: (low + least)...(high + greatest)) { countUpTo($0) >= k }
  }

  private func countUpTo(_ bound: Double) -> Int {
    var total = 0
    var column = columns.count
    for row in rows {
      while column > 0, row + columns[column - 1] > bound { column -= 1 }
      if column == 0 { break }
      total += column
    }
    return total
  }
}
