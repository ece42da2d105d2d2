// SPDX-License-Identifier: Apache-2.0

/// How two groups of launches are compared.
package struct FleetComparisonOptions: Sendable {
  package var base: FleetFilter
  package var head: FleetFilter
  /// Columns that are held equal; nil for those whose mix differs, and those with an effect on launches.
  package var mix: [String]?
  /// The quantile that is compared.
  package var fraction = 0.5
  /// How often a comparison of equal launches may say "regressed" or "improved".
  package var error = 0.01
  /// What a launch may get slower by; nil for the gate's.
  package var relative: Double?
  package var absolute: Double?

  /// The column that names the single machine, whose launches resemble each other; nil if launches are independent.
  package var unit: String?

  package init(base: FleetFilter, head: FleetFilter) { (self.base, self.head) = (base, head) }

  /// What a comparison needs of the records.
  package var question: FleetQuestion {
    var question = FleetQuestion()
    question.labels = .all
    (question.sides, question.needed) = ([base, head], Set(mix ?? []))
    (question.keepsIDs, question.unit) = (true, unit)
    return question
  }

  /// Launches that a cohort needs on each side. With fewer, the error of its quantile is not known.
  package var leastOfCohort: Int {
    // 1 − 0.9 is a little less than 0.1, and does not need one launch more.
    max(Self.leastOfShares, Int((15 / min(fraction, 1 - fraction) - 1e-6).rounded(.up)))
  }

  /// Launches that a cohort needs on each side for the share of them that failed.
  static let leastOfShares = 30
}
