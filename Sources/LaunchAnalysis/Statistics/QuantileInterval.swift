// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// A quantile of a sample, with an interval for that of its population, whatever the distribution. The bounds are two
/// order statistics, chosen by the binomial distribution of how many values lie below.
///
/// Conover (1999), Practical Nonparametric Statistics, 3.2.
package struct QuantileInterval: Sendable, Equatable {
  /// Linear between the closest ranks (Hyndman and Fan 1996, type 7), as everywhere in the reports.
  package var estimate: Double
  /// −∞ when the sample has no value low enough.
  package var lower: Double
  /// ∞ when the sample has no value high enough.
  package var upper: Double

  /// - Parameters:
  ///   - values: at least one; infinite for what never came.
  ///   - fraction: between 0 and 1.
  ///   - tail: the error allowed on each side.
  package init(_ values: [Double], fraction: Double, tail: Double) {
    let sorted = values.sorted()
    estimate = SessionBootstrap.quantile(sorted, fraction)
    let (low, high) = Self.places(sorted.count, fraction: fraction, tail: tail)
    lower = low >= 0 ? sorted[low] : -.infinity
    upper = high < sorted.count ? sorted[high] : .infinity
  }

  /// Above this count a normal distribution approximates the binomial one, with half a rank added on each side.
  private static let countedUpTo = 2000

  /// Ranks from 0, each with the error `tail` at most: the greatest lower one and the least upper one. −1 and `count`
  /// mean that the sample has no such value.
  package static func places(_ count: Int, fraction: Double, tail: Double) -> (low: Int, high: Int) {
    if count > countedUpTo, Double(count) * min(fraction, 1 - fraction) > 20 {
      let (mean, n) = (fraction * Double(count), Double(count))
      let half = NormalDistribution.upperQuantile(tail) * (n * fraction * (1 - fraction)).squareRoot() + 0.5
      return (max(-1, Int((mean - half).rounded(.down)) - 1), min(count, Int((mean + half).rounded(.up))))
    }
    // The least k with P(K ≤ k) ≥ tail, and the least with P(K > k) ≤ tail.
    var (low, high) = (-1, count)
    var sum = 0.0
    for k in 0...count {
      sum += probability(k, of: count, fraction)
      if sum >= tail {
        low = k - 1
        break
      }
    }
    sum = 0
    for k in stride(from: count, through: 0, by: -1) {
      // Here the sum is P(K > k).
      if sum > tail { break }
      high = k
      sum += probability(k, of: count, fraction)
    }
    return (low, high)
  }

  /// Probability that exactly `k` values are below the quantile.
  private static func probability(_ k: Int, of count: Int, _ fraction: Double) -> Double {
    let (k, n) = (Double(k), Double(count))
    let ways = Double.logGamma(n + 1) - Double.logGamma(k + 1) - Double.logGamma(n - k + 1)
    return Double.exp(ways + k * Double.log(fraction) + (n - k) * Double.log(1 - fraction))
  }
}
