/// One metric on both sides.
package struct MetricComparison: Sendable {
  package enum Presence: String, Sendable {
    case both
    case baseOnly = "base-only"
    case headOnly = "head-only"
  }

  package var metric: Metric
  package var shift: Shift
  package var verdict: Verdict
  /// What the metric may grow by.
  package var thresholds: Thresholds
  /// Adjusted for how many metrics are tested beside this one (Holm); nil for the total and where nothing is tested.
  package var adjustedProbability: Double?
  package var presence: Presence
}
