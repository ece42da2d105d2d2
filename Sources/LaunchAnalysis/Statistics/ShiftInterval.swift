// SPDX-License-Identifier: Apache-2.0

/// A shift: an estimate, and an interval that contains the true shift with the given confidence. A bound is infinite
/// if there are too few values for it.
package struct ShiftInterval: Sendable, Equatable {
  package var estimate: Double
  package var lower: Double
  package var upper: Double

  package init(estimate: Double, lower: Double, upper: Double) {
    (self.estimate, self.lower, self.upper) = (estimate, lower, upper)
  }

  /// The shift of paired differences. The estimate leaves as much above as below; the interval is what the signed-rank
  /// test does not reject. With all ranks the estimate is Hodges and Lehmann's, the median of the Walsh averages.
  ///
  /// Hodges and Lehmann (1963), Annals of Mathematical Statistics 34(2). With ties, the closed interval only covers
  /// more.
  ///
  /// - Parameters:
  ///   - differences: finite, at least one.
  ///   - tail: the error allowed on each side.
  package init(paired differences: [Double], tail: Double, scores: RankScores) {
    self.init(
      SignedRankOrder(differences, scores),
      critical: SignedRankTest.criticalValue(count: differences.count, tail: tail, scores: scores))
  }

  /// The median of all differences of two samples, with the interval of the Mann-Whitney test.
  package init(from base: [Double], to head: [Double], tail: Double) {
    self.init(
      PairwiseOrder(differencesOf: head, from: base),
      critical: RankSumTest.criticalValue(head.count, base.count, tail: tail))
  }

  /// - Parameters:
  ///   - shifts: those at which the test's statistic grows by one.
  ///   - critical: the greatest statistic that the test rejects.
  private init(_ shifts: some OrderStatistics, critical: Int?) {
    estimate = shifts.median
    lower = critical.map { shifts.smallest($0 + 1) } ?? -.infinity
    upper = critical.map { shifts.smallest(shifts.count - $0) } ?? .infinity
  }

  /// The interval with both bounds at least as far out as another one's.
  package func including(_ other: ShiftInterval) -> ShiftInterval {
    ShiftInterval(estimate: estimate, lower: min(lower, other.lower), upper: max(upper, other.upper))
  }

  /// The interval with both bounds at least so far from the estimate.
  package func atLeast(_ width: Double) -> ShiftInterval {
    ShiftInterval(estimate: estimate, lower: min(lower, estimate - width), upper: max(upper, estimate + width))
  }

  /// The interval with both bounds moved outwards by `spread`.
  package func widened(by spread: Double) -> ShiftInterval {
    ShiftInterval(estimate: estimate, lower: lower - spread, upper: upper + spread)
  }
}
