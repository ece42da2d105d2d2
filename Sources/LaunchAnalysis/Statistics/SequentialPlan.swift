// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// When to look at a running comparison, and how much error each look may spend. All looks together err no more often
/// than one test would.
///
/// Lan and DeMets (1983), Biometrika 70(3), with a spending function of O'Brien and Fleming's shape. Its time is the
/// number of the look. The looks double, so by the number of launches the early ones could spend nothing. (Any time
/// that does not depend on the data keeps the error.) The correlation of the looks is that of sums.
package struct SequentialPlan: Sendable, Equatable {
  /// Rounds at which to look, ascending.
  package let looks: [Int]
  /// By look: the error on each side that a test of all rounds so far may have.
  package let tails: [Double]

  /// Looks at 10, 20, 40, … rounds and at `maximum`.
  package static func doubling(maximum: Int, tail: Double) -> SequentialPlan {
    var looks = sequence(first: 10) { $0 * 2 }.prefix { $0 < maximum }
    // A look shortly after another one costs error and finds nothing new.
    if let last = looks.last, looks.count > 1, last * 4 > maximum * 3 { looks.removeLast() }
    return SequentialPlan(looks: looks + [max(1, maximum)], tail: tail)
  }

  /// - Parameter tail: the error on each side, of all looks together.
  package init(looks: [Int], tail: Double) {
    self.looks = looks
    var walk = BoundaryWalk()
    var spent = 0.0
    tails = looks.enumerated().map { place, rounds in
      let share = Double(place + 1) / Double(looks.count)
      let target = place + 1 == looks.count ? tail : Self.spent(at: share, of: tail)
      let boundary = walk.boundary(at: Double(rounds), crossing: target - spent)
      spent = target
      return NormalDistribution.above(boundary)
    }
  }

  /// The error that O'Brien and Fleming's shape has spent of `tail` at the time `share` (0…1).
  package static func spent(at share: Double, of tail: Double) -> Double {
    share <= 0 ? 0 : 2 * NormalDistribution.above(NormalDistribution.upperQuantile(tail / 2) / share.squareRoot())
  }
}

/// A random walk that ends when it crosses a boundary: the density of its position, look by look.
///
/// Armitage, McPherson and Rowe (1969), Journal of the Royal Statistical Society A 132(2).
private struct BoundaryWalk {
  /// Variance of the walk's sum so far.
  private var information = 0.0
  /// The possible sums and their probabilities (density times Simpson's weight); empty before the first look.
  private var points: [(sum: Double, mass: Double)] = []

  private static let intervals = 600
  /// No walk from below this comes up again.
  private static let lowest = -9.0

  /// The standardized boundary that a walk crosses first at `next` with the given probability.
  mutating func boundary(at next: Double, crossing probability: Double) -> Double {
    var (low, high) = (-8.0, 40.0)
    for _ in 0..<70 {
      let middle = (low + high) / 2
      if crossing(middle * next.squareRoot(), at: next) > probability { low = middle } else { high = middle }
    }
    let boundary = (low + high) / 2
    advance(to: next, below: min(boundary, -Self.lowest) * next.squareRoot())
    return boundary
  }

  private func crossing(_ bound: Double, at next: Double) -> Double {
    guard information > 0 else { return NormalDistribution.above(bound / next.squareRoot()) }
    let step = (next - information).squareRoot()
    return points.reduce(0) { $0 + $1.mass * NormalDistribution.above((bound - $1.sum) / step) }
  }

  private mutating func advance(to next: Double, below bound: Double) {
    let first = Self.lowest * next.squareRoot()
    let width = (bound - first) / Double(Self.intervals)
    let step = (next - information).squareRoot()
    let scale = 1 / (step * (2 * Double.pi).squareRoot())
    points = (0...Self.intervals).map { place in
      let sum = first + width * Double(place)
      let weight = place == 0 || place == Self.intervals ? 1.0 : place % 2 == 1 ? 4 : 2
      return (sum, weight * width / 3 * density(sum, step: step) * scale)
    }
    information = next
  }

  private func density(_ sum: Double, step: Double) -> Double {
    func kernel(_ distance: Double) -> Double { Double.exp(-distance * distance / (2 * step * step)) }
    return information == 0 ? kernel(sum) : points.reduce(0) { $0 + $1.mass * kernel(sum - $1.sum) }
  }
}
