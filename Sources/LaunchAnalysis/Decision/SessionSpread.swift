// SPDX-License-Identifier: Apache-2.0

/// How much two sessions of an unchanged program differ.
package enum SessionSpread: Sendable, Equatable {
  /// As a part. So much wider is the interval of the launches.
  case assumed(Double)
  /// By the commits of a history.
  case measured(Measured)

  /// How much the times of neighbouring commits differ.
  package struct Measured: Sendable, Equatable {
    /// Standard deviation of the differences between the logarithms of the commits' medians.
    package var deviation: Double
    /// Degrees of freedom of `deviation`.
    package var freedom: Double
    package var commits: Int

    /// How far the logarithms of two sessions' medians may be apart.
    ///
    /// - Parameter tail: the probability that the difference is still larger, on each side.
    func width(tail: Double) -> Double { StudentDistribution(freedom: freedom).upperQuantile(tail) * deviation }

    /// The p-value of a two-sided test of no difference.
    func probability(of difference: Double) -> Double {
      if deviation == 0 { return difference == 0 ? 1 : 0 }
      return 2 * StudentDistribution(freedom: freedom).above(abs(difference) / deviation)
    }
  }
}
