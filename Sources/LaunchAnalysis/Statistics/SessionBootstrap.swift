// SPDX-License-Identifier: Apache-2.0

/// The shift between two sides that were measured in several sessions each. The unit is the session: its launches
/// share a machine and a minute, and differ far less than sessions do.
///
/// It draws sessions with replacement, and launches within each. A session counts by its median. The interval is
/// bias-corrected and accelerated: Efron (1987), Journal of the American Statistical Association 82(397). The
/// acceleration is that of the jackknife over the sessions of both sides.
package struct SessionBootstrap: Sendable {
  package var seed: UInt64
  package var resamples: Int

  package static let standardResamples = 4999

  package init(seed: UInt64, resamples: Int = standardResamples) { (self.seed, self.resamples) = (seed, resamples) }

  /// - Parameters: values by session: at least two sessions for each side, none of them empty.
  package func shift(from base: [[Double]], to head: [[Double]], tail: Double) -> ShiftInterval {
    let estimate = Self.difference(base.map(Self.median), head.map(Self.median))
    var random = SeededRandom(seed: seed)
    let drawn = (0..<resamples).map { _ in
      Self.difference(Self.resample(base, &random), Self.resample(head, &random))
    }.sorted()
    let accelerated = Acceleration(
      bias: Self.bias(drawn, estimate), acceleration: Self.acceleration(base.map(Self.median), head.map(Self.median)))
    return ShiftInterval(
      estimate: estimate, lower: Self.quantile(drawn, accelerated.share(tail)),
      upper: Self.quantile(drawn, accelerated.share(1 - tail)))
  }

  /// The median of all differences between the sessions' medians.
  private static func difference(_ base: [Double], _ head: [Double]) -> Double {
    PairwiseOrder(differencesOf: head, from: base).median
  }

  private static func resample(_ sessions: [[Double]], _ random: inout SeededRandom) -> [Double] {
    sessions.map { _ in
      let session = sessions[random.next(below: sessions.count)]
      return session.count == 1 ? session[0] : median(session.map { _ in session[random.next(below: session.count)] })
    }
  }

  static func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

  /// The spread of values that deviate so far from their median. For normal noise, it is the standard deviation: the
  /// median deviation times 1.4826.
  static func spread(deviations: [Double]) -> Double { 1.4826 * median(deviations) }

  /// Interpolates linearly between the closest ranks.
  static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = min(max(share, 0), 1) * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    // The difference of infinite values is not a number.
    if sorted[above] == sorted[below] || place == Double(below) { return sorted[below] }
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }

  /// How far the drawn differences lie to one side of the estimate, as a quantile of the normal distribution.
  private static func bias(_ drawn: [Double], _ estimate: Double) -> Double {
    let below = drawn.count { $0 < estimate }
    let equal = drawn.count { $0 == estimate }
    return NormalDistribution.quantile((Double(below) + Double(equal) / 2) / Double(drawn.count))
  }

  private static func acceleration(_ base: [Double], _ head: [Double]) -> Double {
    var (cubes, squares) = (0.0, 0.0)
    for isHead in [false, true] {
      let side = isHead ? head : base
      let left = side.indices.map { place in
        var rest = side
        rest.remove(at: place)
        return isHead ? difference(base, rest) : difference(rest, head)
      }
      let count = Double(side.count)
      let mean = left.reduce(0, +) / count
      let influences = left.map { (count - 1) * (mean - $0) }
      cubes += influences.reduce(0) { $0 + $1 * $1 * $1 } / (count * count * count)
      squares += influences.reduce(0) { $0 + $1 * $1 } / (count * count)
    }
    return squares == 0 ? 0 : cubes / (6 * squares * squares.squareRoot())
  }

  private struct Acceleration {
    var bias: Double
    var acceleration: Double

    /// The share of the drawn values for the bound that a normal distribution would have at `share`.
    func share(_ share: Double) -> Double {
      // All draws are on one side of the estimate, or equal to it, so there is nothing to correct.
      guard bias.isFinite else { return share }
      let z = bias + NormalDistribution.quantile(share)
      return NormalDistribution.below(bias + z / (1 - acceleration * z))
    }
  }
}
