/// Order statistics of all pairwise values of a sample, or of two, without making the pairs: n launches have n²/2 of
/// them, and only three are wanted.
///
/// Both families grow along rows and columns of a matrix of sorted values, so that those up to a bound can be counted
/// in one walk along its staircase. The k-th smallest is the least number with k of them up to it; it is found exactly,
/// by halving the range of all doubles.
package struct PairwiseOrder: Sendable {
  /// How many pairs there are.
  package let count: Int
  private let rows: [Double]
  private let columns: [Double]
  private let isWalsh: Bool

  /// The Walsh averages (v_i + v_j) / 2, i ≤ j.
  package init(walshAveragesOf values: [Double]) {
    rows = values.sorted()
    columns = rows
    isWalsh = true
    count = rows.count * (rows.count + 1) / 2
  }

  /// The differences h − b.
  package init(differencesOf head: [Double], from base: [Double]) {
    rows = head.sorted()
    columns = base.map { -$0 }.sorted()
    isWalsh = false
    count = head.count * base.count
  }

  /// The k-th smallest, k from 1 to `count`.
  package func smallest(_ k: Int) -> Double {
    guard let low = ends?.lowerBound, let high = ends?.upperBound else { return .nan }
    var (first, last) = (Self.position(low), Self.position(high))
    while first < last {
      let middle = first + (last - first) / 2
      if countUpTo(Self.value(middle)) >= k { last = middle } else { first = middle + 1 }
    }
    return Self.value(first)
  }

  /// The middle one, or the mean of the two in the middle; not a number for no pairs.
  package var median: Double {
    guard count > 0 else { return .nan }
    let lower = smallest((count + 1) / 2)
    return count % 2 == 1 ? lower : (lower + smallest(count / 2 + 1)) / 2
  }

  private func pair(_ row: Double, _ column: Double) -> Double { isWalsh ? (row + column) / 2 : row + column }

  private var ends: ClosedRange<Double>? {
    guard let low = rows.first, let high = rows.last, let least = columns.first, let greatest = columns.last else {
      return nil
    }
    return pair(low, least)...pair(high, greatest)
  }

  private func countUpTo(_ bound: Double) -> Int {
    var total = 0
    var column = columns.count
    for (place, row) in rows.enumerated() {
      while column > 0, pair(row, columns[column - 1]) > bound { column -= 1 }
      // Of a symmetric matrix, each pair once: from the diagonal on.
      let skipped = isWalsh ? place : 0
      if column <= skipped { break }
      total += column - skipped
    }
    return total
  }

  /// Finite doubles as integers in the same order: the sign bit turned, and of negative ones all others.
  private static func position(_ value: Double) -> UInt64 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private static func value(_ position: UInt64) -> Double {
    Double(bitPattern: position >> 63 == 1 ? position & ~(1 << 63) : ~position)
  }
}
