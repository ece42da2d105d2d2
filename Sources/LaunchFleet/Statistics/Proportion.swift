// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A share of launches with Wilson's interval: Wilson (1927), Journal of the American Statistical Association 22(158).
package struct Proportion: Sendable, Equatable {
  package var estimate: Double
  package var lower: Double
  package var upper: Double
  /// The number of launches of equal weight that it is based on.
  package var count: Double

  /// One that is set, and not measured.
  package init(exactly share: Double) { (estimate, lower, upper, count) = (share, share, share, 0) }

  /// - Parameters:
  ///   - count: above 0.
  ///   - tail: the error allowed on each side.
  init(_ share: Double, of count: Double, tail: Double) {
    let z = NormalDistribution.upperQuantile(tail)
    let square = z * z
    let middle = (share + square / (2 * count)) / (1 + square / count)
    let half = z / (1 + square / count) * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
    estimate = share
    lower = max(0, min(share, middle - half))
    upper = min(1, max(share, middle + half))
    self.count = count
  }
}

/// Sums of weights of rows that hold something, among rows that could.
struct WeightedShare {
  private(set) var holding = 0.0
  private(set) var all = 0.0
  private var squares = 0.0

  mutating func add(_ holds: Bool, weight: Double, records: Int) {
    let sum = weight * Double(records)
    if holds { holding += sum }
    all += sum
    squares += weight * sum
  }

  /// 0 for no rows.
  var share: Double { all > 0 ? holding / all : 0 }

  /// nil for no rows.
  func proportion(tail: Double) -> Proportion? {
    all > 0 ? Proportion(holding / all, of: all * all / squares, tail: tail) : nil
  }
}
