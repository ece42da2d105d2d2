internal import RealModule

/// A quantile of a sample with the interval that holds that of its population, whatever its distribution: two order
/// statistics, by the binomial distribution of how many values lie below.
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
  ///   - values: finite, at least one.
  ///   - fraction: between 0 and 1.
  ///   - tail: the error allowed on each side.
  package init(_ values: [Double], fraction: Double, tail: Double) {
    let sorted = values.sorted()
    let place = fraction * Double(sorted.count - 1)
    let below = min(max(Int(place), 0), sorted.count - 1)
    let above = min(below + 1, sorted.count - 1)
    estimate = sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    let (low, high) = Self.places(sorted.count, fraction: fraction, tail: tail)
    lower = low >= 0 ? sorted[low] : -.infinity
    upper = high < sorted.count ? sorted[high] : .infinity
  }

  /// From here on the binomial distribution is taken for normal, with half a place more on each side.
  private static let countedUpTo = 2000

  /// From 0: the greatest low place that too few values reach with `tail`, and the least high place. −1 and `count` stand
  /// for places that the values do not have.
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

  /// Of exactly `k` values below the quantile.
  private static func probability(_ k: Int, of count: Int, _ fraction: Double) -> Double {
    let (k, n) = (Double(k), Double(count))
    let ways = Double.logGamma(n + 1) - Double.logGamma(k + 1) - Double.logGamma(n - k + 1)
    return Double.exp(ways + k * Double.log(fraction) + (n - k) * Double.log(1 - fraction))
  }
}
