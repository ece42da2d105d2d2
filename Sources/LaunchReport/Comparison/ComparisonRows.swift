// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The metrics that a report for people shows, in order.
struct ComparisonRows {
  let rows: [MetricComparison]
  /// The metrics that are not shown, in a sentence; nil for none.
  let rest: String?
  /// True if some of these certainly changed.
  let lacksChanges: Bool

  /// The number of intervals and libraries that are shown besides those that certainly changed.
  private static let mostUnchanged = 6
  /// The number of parts that certainly changed, the largest changes first. A job's summary of more than 1 MiB is refused.
  private static let mostChanged = 200

  /// - Parameter asked: ids, or their first parts; empty for the most important metrics.
  init(_ comparison: LaunchComparison, asked: [String]) {
    let all = comparison.metrics
    rows = asked.isEmpty ? Self.important(comparison) : all.filter { asked.contains(where: $0.metric.isNamed) }
    let shown = Set(rows.map(\.metric))
    let hidden = all.filter { !shown.contains($0.metric) }
    lacksChanges = hidden.contains(where: \.verdict.isChange)
    let isChanged = hidden.contains { $0.verdict != .noChange }
    rest =
      hidden.isEmpty
      ? nil
      : DecimalText.counted(hidden.count, "more metric") + " "
        + (isChanged ? "not shown" : "did not change") + "; --format csv has all of them"
  }

  private static func important(_ comparison: LaunchComparison) -> [MetricComparison] {
    let largest = comparison.parts.sorted { left, right in
      abs(left.shift.estimate.absolute) > abs(right.shift.estimate.absolute)
    }
    let shown = Set(
      largest.filter { $0.metric.group == .interval || $0.metric.group == .library }
        .filter { max($0.shift.base, $0.shift.head) > $0.thresholds.absolute }
        .prefix(mostUnchanged).map(\.metric))
    let changed = Set(largest.filter(\.verdict.isChange).prefix(mostChanged).map(\.metric))
    let parts = comparison.parts.filter { part in
      if part.verdict.isChange { return changed.contains(part.metric) }
      switch part.metric.group {
      case .total, .resource: return true
      case .state: return max(part.shift.base, part.shift.head) > part.thresholds.absolute
      case .milestone, .longest, .longestPhase: return false
      case .phase: return part.metric.path.count == 1
      case .library, .interval: return shown.contains(part.metric)
      }
    }
    return [comparison.total, comparison.cpu].compactMap(\.self) + parts
  }
}
