// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// How much of the launches was waiting for a processor, by the medians, if that is much: other programs had it.
package struct ProcessorWait {
  /// ns
  private let total: Double
  /// The time without that waiting, ns.
  let onCore: Double

  /// As a part of the launch.
  private static let least = 0.2

  /// nil if it is little, or if it is not known of each launch that counts.
  package init?(_ launches: [Measurement]) {
    let counted = launches.filter { $0.leftOut == nil }
    guard !counted.isEmpty, counted.allSatisfy({ $0.values[.total] != nil && $0.values[.onCore] != nil }) else {
      return nil
    }
    func median(_ metric: Metric) -> Double {
      BudgetCheck(unlimited: metric, fraction: 0.5, of: counted, tail: ComparisonOptions().tail).estimate
    }
    (total, onCore) = (median(.total), median(.onCore))
    guard total - onCore >= Self.least * total, total > 0 else { return nil }
  }

  /// `by the medians, 8.91 of the 16.08 ms are waiting for a processor`
  package func sentence(ascii: Bool = false) -> String {
    let numbers = ComparisonNumbers(times: [total], ascii: ascii)
    return "by the medians, \(numbers.value(total - onCore, .nanoseconds)) of the "
      + "\(numbers.withUnit(total, .nanoseconds)) are waiting for a processor"
  }
}
