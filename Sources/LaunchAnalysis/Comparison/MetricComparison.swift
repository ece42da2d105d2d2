/// One metric on both sides.
public struct MetricComparison: Sendable {
  public enum Presence: String, Sendable {
    case both
    case baseOnly = "base-only"
    case headOnly = "head-only"
  }

  public var metric: Metric
  public var shift: Shift
  public var verdict: Verdict
  /// What the metric may grow by.
  public var thresholds: Thresholds
  /// Adjusted for how many metrics are tested beside this one (Holm); nil for the total and where nothing is tested.
  public var adjustedProbability: Double?
  public var presence: Presence
}
