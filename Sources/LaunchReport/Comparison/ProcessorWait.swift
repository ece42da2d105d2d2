// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// How much of a quantile of the launches was waiting for a processor: other programs had it.
package struct ProcessorWait {
  private let fraction: Double
  /// ns
  private let total: Double
  /// The time without that waiting, ns.
  let onCore: Double

  /// nil if it is not known of each launch that counts.
  package init?(_ launches: [Measurement], fraction: Double = 0.5) {
    let counted = launches.filter { $0.leftOut == nil }
    guard !counted.isEmpty, counted.allSatisfy({ $0.values[.total] != nil && $0.values[.onCore] != nil }) else {
      return nil
    }
    func quantile(_ metric: Metric) -> Double {
      BudgetCheck(unlimited: metric, fraction: fraction, of: counted, tail: ComparisonOptions().tail).estimate
    }
    (self.fraction, total, onCore) = (fraction, quantile(.total), quantile(.onCore))
  }

  /// Whether it is a fifth of the launch or more.
  package var isMuch: Bool { total > 0 && total - onCore >= 0.2 * total }

  /// `by the medians, 8.91 of the 16.08 ms are waiting for a processor`
  package func sentence(ascii: Bool = false) -> String {
    let quantiles = fraction == 0.5 ? "the medians" : QuantileName.of(fraction)
    let numbers = ComparisonNumbers(times: [total], ascii: ascii)
    return "by \(quantiles), \(numbers.value(total - onCore, .nanoseconds)) of the "
      + "\(numbers.withUnit(total, .nanoseconds)) are waiting for a processor"
  }
}
