// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The shifts at which a signed-rank statistic of paired differences changes its value.
///
/// With Wilcoxon's ranks these are the sorted Walsh averages (d_i + d_j) / 2, i ≤ j (Tukey 1949). With bounded scores
/// they are only those averages in which one difference is among the nearest.
package struct SignedRankOrder: OrderStatistics, Sendable {
  /// The greatest value of the statistic: the sum of all scores.
  package let count: Int
  /// Sorted.
  private let values: [Double]
  private let highest: Int

  package init(_ differences: [Double], _ scores: RankScores) {
    values = differences.sorted()
    highest = scores.highest(of: values.count)
    count = highest * (highest + 1) / 2 + (values.count - highest) * highest
  }

  /// The least shift at which the differences at or below zero have scores of at least `k` in all, k from 1 to
  /// `count`. NaN if there are no differences.
  package func smallest(_ k: Int) -> Double {
    guard let low = values.first, let high = values.last else { return .nan }
    return DoubleSearch.least(in: low...high) { scoreBelow($0) >= k }
  }

  /// Sum of the scores of the values up to `shift`. Visits the values on both sides of it, nearest first.
  private func scoreBelow(_ shift: Double) -> Int {
    var above = values.partitioningIndex { $0 > shift }
    var below = above - 1
    var score = 0
    for rank in 1...values.count {
      guard below >= 0 else { break }
      // All remaining values have the same score.
      if rank >= highest { return score + (below + 1) * highest }
      // The average of both values tells which one is nearer.
      if above >= values.count || (values[below] + values[above]) / 2 > shift {
        score += rank
        below -= 1
      } else {
        above += 1
      }
    }
    return score
  }
}
