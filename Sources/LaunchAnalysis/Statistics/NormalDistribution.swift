// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// The standard normal distribution.
package enum NormalDistribution {
  /// P(Z ≤ z).
  package static func below(_ z: Double) -> Double { above(-z) }

  /// P(Z ≥ z), exact in the upper tail, where 1 − P(Z ≤ z) would only be rounding error.
  package static func above(_ z: Double) -> Double { 0.5 * Double.erfc(z / 2.0.squareRoot()) }

  /// The z with P(Z ≥ z) = `probability`, which lies between 0 and 1; infinite at both ends.
  package static func upperQuantile(_ probability: Double) -> Double {
    if probability <= 0 { return .infinity }
    if probability >= 1 { return -.infinity }
    if probability > 0.5 { return -upperQuantile(1 - probability) }
    // Bisects an interval that contains every double's quantile, down to adjacent numbers.
    var (low, high) = (0.0, 40.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if above(middle) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The z with P(Z ≤ z) = `probability`.
  package static func quantile(_ probability: Double) -> Double { -upperQuantile(probability) }
}
