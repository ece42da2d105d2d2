/// Where a shift lies: an estimate, and an interval that holds the truth with the given confidence. A bound is infinite
/// when there are too few values to give one.
package struct ShiftInterval: Sendable, Equatable {
  package var estimate: Double
  package var lower: Double
  package var upper: Double

  package init(estimate: Double, lower: Double, upper: Double) {
    (self.estimate, self.lower, self.upper) = (estimate, lower, upper)
  }

  package var isBounded: Bool { lower.isFinite && upper.isFinite }

  /// The estimate for paired differences that leaves as much above as below, with the interval that the signed-rank test does not
  /// reject. With all ranks it is Hodges and Lehmann's, the median of the Walsh averages.
  ///
  /// Hodges and Lehmann (1963), Annals of Mathematical Statistics 34(2). Ties only make the closed interval hold more.
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
  ///   - critical: the greatest statistic that is rejected.
  private init(_ shifts: some OrderStatistics, critical: Int?) {
    estimate = shifts.median
    lower = critical.map { shifts.smallest($0 + 1) } ?? -.infinity
    upper = critical.map { shifts.smallest(shifts.count - $0) } ?? .infinity
  }

  /// With both bounds further out by `spread`.
  package func widened(by spread: Double) -> ShiftInterval {
    ShiftInterval(estimate: estimate, lower: lower - spread, upper: upper + spread)
  }
}
