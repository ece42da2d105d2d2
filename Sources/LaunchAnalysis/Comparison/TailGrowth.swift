// SPDX-License-Identifier: Apache-2.0

/// Slow launches of the head that the base does not have. If one launch in five takes twice as long, the change of the
/// median may be nothing (D291).
package struct TailGrowth: Sendable, Equatable {
  package let metric: Metric
  /// The ninetieth percentiles, in the unit of the metric.
  package let base: Double
  package let head: Double

  package static let fraction = 0.9

  /// A sign test of the rounds in which only one launch is among the slowest tenth of all. Whatever slows down launches of
  /// both programs, such as other work on the machine, slows down either side equally often.
  ///
  /// - Parameters:
  ///   - base: a value for each round.
  ///   - head: a value for each round.
  ///   - tail: the error allowed.
  /// - Returns: nil if the percentile did not grow by more than the thresholds, or if that may be chance.
  package init?(_ metric: Metric, rounds base: [Double], _ head: [Double], thresholds: Thresholds, tail: Double) {
    guard !base.isEmpty, base.count == head.count else { return nil }
    let limit = SessionBootstrap.quantile((base + head).sorted(), Self.fraction)
    let signs = zip(base, head).map { ($1 > limit ? 1.0 : 0) - ($0 > limit ? 1.0 : 0) }
    guard SignedRankTest(signs, .bounded).probability.greater <= tail else { return nil }
    self.metric = metric
    self.base = SessionBootstrap.quantile(base.sorted(), Self.fraction)
    self.head = SessionBootstrap.quantile(head.sorted(), Self.fraction)
    let change = Shift.Change(
      absolute: self.head - self.base, relative: self.base > 0 ? (self.head - self.base) / self.base : .infinity)
    guard thresholds.areExceeded(by: change) else { return nil }
  }

  /// Of the total, or else of the CPU time, which other work on the machine hides less; nil if neither grew, or if the
  /// launches are not paired by rounds.
  init?(_ base: [Measurement], _ head: [Measurement], _ parts: PartComparisons, _ options: ComparisonOptions) {
    let design = ComparisonDesign(base, head)
    let metrics: [Metric] = parts.cpuOfLaunch == nil ? [.total] : [.total, .cpu]
    let tail = options.intervalTail / Double(metrics.count)
    for metric in metrics {
      guard let (base, head) = design.rounds(of: metric) else { return nil }
      if let growth = TailGrowth(metric, rounds: base, head, thresholds: parts.total.thresholds, tail: tail) {
        self = growth
        return
      }
    }
    return nil
  }
}
