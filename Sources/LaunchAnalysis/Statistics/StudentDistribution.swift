// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// Student's t distribution.
package struct StudentDistribution: Sendable {
  /// The degrees of freedom, above 0; not always a whole number.
  package let freedom: Double

  package init(freedom: Double) { self.freedom = freedom }

  /// P(T ≥ t).
  package func above(_ t: Double) -> Double {
    let tail = Self.incompleteBeta(freedom / 2, 0.5, at: freedom / (freedom + t * t)) / 2
    return t >= 0 ? tail : 1 - tail
  }

  /// The t with P(T ≥ t) = `probability`, which lies above 0 and is at most 0.5.
  package func upperQuantile(_ probability: Double) -> Double {
    DoubleSearch.least(in: 0...Double.greatestFiniteMagnitude.squareRoot()) { above($0) <= probability }
  }

  /// The regularised incomplete beta function, by its continued fraction: DLMF 8.17.22 (https://dlmf.nist.gov/8.17.v),
  /// which converges fast below the mean; above it, by symmetry.
  private static func incompleteBeta(_ a: Double, _ b: Double, at x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(b, a, at: 1 - x) }
    let powers = a * Double.log(x) + b * Double.log(onePlus: -x)
    let beta = Double.logGamma(a) + Double.logGamma(b) - Double.logGamma(a + b)
    return Double.exp(powers - beta) / a * fraction(a, b, x)
  }

  /// Lentz's method: from the front, until a step changes nothing.
  private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    var (upper, lower) = (1.0, 1 / (1 - (a + b) * x / (a + 1)))
    var value = lower
    for step in 1...500 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      for coefficient in [even, odd] {
        lower = 1 / (1 + coefficient * lower)
        upper = 1 + coefficient / upper
        value *= lower * upper
      }
      if abs(lower * upper - 1) < 1e-15 { break }
    }
    return value
  }
}
