internal import LaunchTrace

/// The shifts at which a signed-rank statistic of paired differences takes its values.
///
/// With Wilcoxon's ranks they are the Walsh averages (d_i + d_j) / 2, i ≤ j, in their order (Tukey 1949). With bounded scores they
/// are those averages of which one difference is among the nearest.
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

  /// The least shift that leaves differences of scores of `k` or more in all at or below zero, k from 1 to `count`; not a number
  /// for no differences.
  package func smallest(_ k: Int) -> Double {
    guard let low = values.first, let high = values.last else { return .nan }
    return DoubleSearch.least(in: low...high) { scoreBelow($0) >= k }
  }

  /// The scores of what is not above `shift`: the values on both sides of it are met from the nearest on.
  private func scoreBelow(_ shift: Double) -> Int {
    var above = firstPlace(above: shift)
    var below = above - 1
    var score = 0
    for rank in 1...values.count {
      guard below >= 0 else { break }
      // The rest of them count alike.
      if rank >= highest { return score + (below + 1) * highest }
      // Which of both is nearer, as their average tells.
      if above >= values.count || (values[below] + values[above]) / 2 > shift {
        score += rank
        below -= 1
      } else {
        above += 1
      }
    }
    return score
  }

  private func firstPlace(above shift: Double) -> Int {
    values.partitioningIndex { $0 > shift }
  }
}
