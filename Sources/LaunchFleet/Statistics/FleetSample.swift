internal import LaunchAnalysis

/// Values in ascending order, perhaps with weights.
struct FleetSample {
  let values: ArraySlice<Float>
  /// Sums of weights up to each value; empty when each counts once.
  let cumulated: ArraySlice<Double>
  /// The sum of the weights' squares.
  let squares: Double

  var count: Int { values.count }
  /// Launches that the values stand for.
  var total: Double { cumulated.last ?? Double(values.count) }

  /// So many values of equal weight say as much (Kish 1965, Survey Sampling, 11.7).
  var effectiveCount: Double { cumulated.isEmpty || squares == 0 ? Double(values.count) : total * total / squares }

  /// Linear between the closest ranks (Hyndman and Fan 1996, type 7); with weights, the rank is the part of the weight.
  func quantile(_ fraction: Double) -> Double {
    guard let first = values.first, let last = values.last else { return .nan }
    if cumulated.isEmpty {
      let place = min(max(fraction, 0), 1) * Double(values.count - 1)
      let below = Int(place)
      let low = Double(values[values.startIndex + below])
      guard below + 1 < values.count else { return low }
      return low + (Double(values[values.startIndex + below + 1]) - low) * (place - Double(below))
    }
    // The place of value k (from 0): the weight before it and k times its own of the rest, so that equal weights give type 7.
    let most = Double(count - 1) * (total - weight(count - 1)) + Double(count - 1) * weight(count - 1)
    let wanted = fraction * most
    if wanted <= 0 { return Double(first) }
    if wanted >= most { return Double(last) }
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if place(middle) <= wanted { low = middle } else { high = middle }
    }
    let (from, to) = (place(low), place(high))
    let part = to > from ? (wanted - from) / (to - from) : 0
    let value = Double(values[values.startIndex + low])
    return value + (Double(values[values.startIndex + high]) - value) * min(max(part, 0), 1)
  }

  private func before(_ k: Int) -> Double { k == 0 ? 0 : cumulated[cumulated.startIndex + k - 1] }
  private func weight(_ k: Int) -> Double { cumulated[cumulated.startIndex + k] - before(k) }
  private func place(_ k: Int) -> Double { Double(count - 1) * before(k) + Double(k) * weight(k) }

  /// A quantile with the interval that holds that of the population with an error of `tail` on each side.
  func interval(_ fraction: Double, tail: Double) -> FleetQuantile {
    let estimate = quantile(fraction)
    let size = Int(effectiveCount.rounded(.down))
    let (low, high) = QuantileInterval.places(size, fraction: fraction, tail: tail)
    func bound(_ place: Int) -> Double {
      if cumulated.isEmpty { return Double(values[values.startIndex + place]) }
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
  private static let least = 1000.0
  private static let leastError = 1e-4
}

/// A quantile of launches, and the interval in which that of all such launches lies.
package struct FleetQuantile: Sendable, Equatable {
  package var estimate: Double
  /// Infinite where there are too few launches.
  package var lower: Double
  package var upper: Double
}
