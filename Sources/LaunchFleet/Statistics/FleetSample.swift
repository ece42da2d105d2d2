// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Values in ascending order, perhaps with weights.
struct FleetSample {
  let values: ArraySlice<Float>
  /// Launches up to each value, which is then the beginning of a bin; empty when each value is that of one launch.
  let ranks: ArraySlice<Int>
  /// Sums of weights up to each value; empty when each counts once.
  let cumulated: ArraySlice<Double>
  /// The sum of the weights' squares.
  let squares: Double

  var count: Int { ranks.last ?? values.count }
  /// The launches that the values represent.
  var total: Double { cumulated.last ?? Double(count) }

  /// So many values of equal weight say as much (Kish 1965, Survey Sampling, 11.7).
  var effectiveCount: Double { cumulated.isEmpty || squares == 0 ? Double(count) : total * total / squares }

  /// Linear between the closest ranks (Hyndman and Fan 1996, type 7); with weights, the rank is the part of the weight.
  func quantile(_ fraction: Double) -> Double {
    let count = count
    guard count > 0 else { return .nan }
    if cumulated.isEmpty {
      let place = min(max(fraction, 0), 1) * Double(count - 1)
      let below = Int(place)
      let low = value(below)
      guard below + 1 < count else { return low }
      return low + (value(below + 1) - low) * (place - Double(below))
    }
    // The place of value k (from 0): the weight before it and k times its own of the rest, so that equal weights give type 7.
    let most = Double(count - 1) * (total - weight(count - 1)) + Double(count - 1) * weight(count - 1)
    let wanted = fraction * most
    if wanted <= 0 { return value(0) }
    if wanted >= most { return value(count - 1) }
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if place(middle) <= wanted { low = middle } else { high = middle }
    }
    let (from, to) = (place(low), place(high))
    let part = to > from ? (wanted - from) / (to - from) : 0
    let value = value(low)
    return value + (self.value(high) - value) * min(max(part, 0), 1)
  }

  /// Where the value of launch `k` lies, and how many launches of the same value, or bin, come before it.
  private func entry(_ k: Int) -> (place: Int, rank: Int) {
    if ranks.isEmpty { return (k, 0) }
    let low = (0..<values.count - 1).partitioningIndex { ranks[ranks.startIndex + $0] > k }
    return (low, k - (low == 0 ? 0 : ranks[ranks.startIndex + low - 1]))
  }

  private func size(_ place: Int) -> Int {
    if ranks.isEmpty { return 1 }
    return ranks[ranks.startIndex + place] - (place == 0 ? 0 : ranks[ranks.startIndex + place - 1])
  }

  /// The launches of a bin count as spread evenly over it.
  private func value(_ k: Int) -> Double {
    if ranks.isEmpty { return Double(values[values.startIndex + k]) }
    let (place, rank) = entry(k)
    let lower = values[values.startIndex + place]
    return Double(lower) + TimeBin.width(from: lower) * (Double(rank) + 0.5) / Double(size(place))
  }

  private func sum(before place: Int) -> Double { place == 0 ? 0 : cumulated[cumulated.startIndex + place - 1] }
  private func before(_ k: Int) -> Double {
    let (place, rank) = entry(k)
    return sum(before: place) + (rank == 0 ? 0 : Double(rank) * weight(k))
  }
  private func weight(_ k: Int) -> Double {
    let place = entry(k).place
    return (sum(before: place + 1) - sum(before: place)) / Double(size(place))
  }
  private func place(_ k: Int) -> Double { Double(count - 1) * before(k) + Double(k) * weight(k) }

  /// A quantile with the interval that holds that of the population with an error of `tail` on each side.
  func interval(_ fraction: Double, tail: Double) -> FleetQuantile {
    let estimate = quantile(fraction)
    let size = Int(effectiveCount.rounded(.down))
    let (low, high) = QuantileInterval.places(size, fraction: fraction, tail: tail)
    func bound(_ place: Int) -> Double {
      if cumulated.isEmpty { return value(place) }
      return size > 1 ? quantile(Double(place) / Double(size - 1)) : estimate
    }
    return FleetQuantile(
      estimate: estimate, lower: low >= 0 ? min(estimate, bound(low)) : -.infinity,
      upper: high < size ? max(estimate, bound(high)) : .infinity)
  }

  /// The logarithm of a quantile with its standard error, by the width of its interval (Woodruff 1952, Journal of the
  /// American Statistical Association 47(260)).
  func logQuantile(_ fraction: Double) -> (value: Double, error: Double) {
    let width = Self.z * (fraction * (1 - fraction) / effectiveCount).squareRoot()
    let (low, high) = (quantile(fraction - width), quantile(fraction + width))
    func log(_ value: Double) -> Double { Logarithm.of(max(value, Self.least)) }
    // Equal values say that the clock is coarse, and not that there is no error.
    return (log(quantile(fraction)), max((log(high) - log(low)) / (2 * Self.z), Self.leastError))
  }

  private static let z = 1.96
  /// A microsecond: below, times are noise.
  static let least = 1000.0
  private static let leastError = 1e-4
}

/// A quantile of launches, and the interval in which that of all such launches lies.
package struct FleetQuantile: Sendable, Equatable {
  package var estimate: Double
  /// Infinite where there are too few launches.
  package var lower: Double
  package var upper: Double
}
