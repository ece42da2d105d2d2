// SPDX-License-Identifier: Apache-2.0

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
  /// How much the metric may grow.
  package var thresholds: Thresholds
  /// Adjusted for the number of metrics tested together (Holm); nil for the total and if there is no test.
  package var adjustedProbability: Double?
  package var presence: Presence
}
