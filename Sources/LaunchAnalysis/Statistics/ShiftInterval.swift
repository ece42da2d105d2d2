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

  /// Hodges and Lehmann's estimate for paired differences, the median of their Walsh averages, with the interval that
  /// the signed-rank test does not reject.
  ///
  /// Hodges and Lehmann (1963), Annals of Mathematical Statistics 34(2). Ties only make the closed interval hold more.
  ///
  /// - Parameters:
  ///   - differences: finite, at least one.
  ///   - tail: the error allowed on each side.
  package init(paired differences: [Double], tail: Double) {
    let averages = PairwiseOrder(walshAveragesOf: differences)
    self.init(averages, critical: SignedRankTest.criticalValue(count: differences.count, tail: tail))
  }

  /// The same for two samples: the median of all differences, with the interval of the Mann-Whitney test.
  package init(from base: [Double], to head: [Double], tail: Double) {
    let differences = PairwiseOrder(differencesOf: head, from: base)
    self.init(differences, critical: RankSumTest.criticalValue(head.count, base.count, tail: tail))
  }

  /// - Parameter critical: the greatest value of the test's statistic that is rejected.
  private init(_ pairs: PairwiseOrder, critical: Int?) {
    estimate = pairs.median
    lower = critical.map { pairs.smallest($0 + 1) } ?? -.infinity
    upper = critical.map { pairs.smallest(pairs.count - $0) } ?? .infinity
  }

  /// With both bounds further out by `spread`.
  package func widened(by spread: Double) -> ShiftInterval {
    ShiftInterval(estimate: estimate, lower: lower - spread, upper: upper + spread)
  }
}
