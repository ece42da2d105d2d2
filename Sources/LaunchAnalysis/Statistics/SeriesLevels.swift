// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// How likely the points of a series are at each level: what `StepLikelihood` and `BumpLikelihood` have in common.
///
/// A point's median differs from the level by an error with two parts. The first is the error of the median, from the
/// spread of the point's own launches. The second is the spread between points, because two commits are launched at
/// different times. The error has Student's distribution with ten degrees of freedom, because launches have heavy
/// tails. The levels and the spread between points are unknown, so the likelihood is the integral over both.
struct SeriesLevels {
  /// The logarithm of the distance between two levels.
  let logStep: Double
  private let medians: [Double]
  private let errors: [Double]
  private let hasOutliers: Bool
  private let levels: [Double]
  /// Of each of `spreads`: a logarithm.
  private let weights: [Double]

  private static let levelCount = 161
  private static let freedom = 10.0
  /// Spreads between points, from 0.2 % to 50 %, by a factor of 1.5.
  private static let spreads = (0..<14).map { 0.002 * Double.pow(1.53, Double($0)) }
  /// How far the logarithm of a spread may be from the usual one. Student's distribution with three degrees of freedom
  /// allows machines that differ much more between commits than within one.
  private static let spreadScale = 0.8
  /// A new level differs from the old one by at most this on the logarithmic scale: between half and twice.
  static let range = 0.7
  /// The spread of all points counts as much as this many launches of a point's own.
  private static let pooled = 10.0

  /// The probability that a point is an outlier, which may be at any level within `outlierRange` of the series' (D303).
  private static let outlierShare = 0.02
  /// On the logarithmic scale: between a quarter and four times.
  private static let outlierRange = 2.8
  /// Divided by the constant factor of Student's density with `freedom`, which `density` leaves out.
  private static let outlierDensity = outlierShare / outlierRange / 0.3891

  /// - Parameters:
  ///   - samples: two or more, none of them empty.
  ///   - hasOutliers: whether single points may be outliers. Without this, an outlier makes a wide spread between all points
  ///     likely.
  init(_ samples: ArraySlice<[Double]>, _ prior: SeriesPrior, hasOutliers: Bool) {
    self.hasOutliers = hasOutliers
    let medians = samples.map(SessionBootstrap.median)
    let (normal, within) = Self.errors(samples, medians)
    let errors = prior.hasManyLaunches ? Self.errorsByOrder(samples) : normal
    let usual = max(prior.spreadPart * within, prior.leastSpread)
    let weights = Self.spreads.map { Self.density(Double.log($0 / usual), Self.spreadScale, freedom: 3) }
    let allWeights = Self.logSum(weights)
    let (low, high) = ((medians.min() ?? 0) - 0.05, (medians.max() ?? 0) + 0.05)
    let step = (high - low) / Double(Self.levelCount - 1)
    levels = (0..<Self.levelCount).map { low + step * Double($0) }
    logStep = Double.log(step)
    self.weights = weights.map { $0 - allWeights }
    (self.medians, self.errors) = (medians, errors)
  }

  /// Calls `body` for each spread between points: with its weight, and with the logarithms of the likelihoods of the points
  /// before each place, by level.
  func forEachSpread(_ body: (_ weight: Double, _ sums: [[Double]]) -> Void) {
    for (spread, weight) in zip(Self.spreads, weights) {
      var sums = [[Double](repeating: 0, count: levels.count)]
      for (median, error) in zip(medians, errors) {
        let width = (error * error + spread * spread).squareRoot()
        var sum = sums[sums.count - 1]
        for place in 0..<sum.count { sum[place] += ofPoint(median - levels[place], width) }
        sums.append(sum)
      }
      body(weight, sums)
    }
  }

  /// The standard error of each point's median, and the spread within a point.
  private static func errors(
    _ samples: ArraySlice<[Double]>, _ medians: [Double]
  ) -> (ofMedians: [Double], within: Double) {
    let deviations = zip(samples, medians).map { sample, median in sample.map { abs($0 - median) } }
    let common = SessionBootstrap.spread(deviations: deviations.flatMap(\.self))
    let errors = deviations.map { sample in
      let (own, count) = (SessionBootstrap.spread(deviations: sample), Double(sample.count))
      let variance = (own * own * count + common * common * pooled) / (count + pooled)
      // The variance of a median is π/2 times that of a mean.
      return (variance * Double.pi / 2 / count).squareRoot()
    }
    return (errors, common)
  }

  /// The standard error of each point's median, whatever the distribution: from the width of its interval (Woodruff 1952). If
  /// launches are of two kinds, few are near the median, and the spread of all would be too small.
  private static func errorsByOrder(_ samples: ArraySlice<[Double]>) -> [Double] {
    let scales = samples.map { sample in
      let (sorted, part) = (sample.sorted(), 0.98 / Double(sample.count).squareRoot())
      let width = SessionBootstrap.quantile(sorted, 0.5 + part) - SessionBootstrap.quantile(sorted, 0.5 - part)
      return width / (4 * part)
    }
    let common = SessionBootstrap.median(scales)
    return zip(samples, scales).map { sample, own in
      let count = Double(sample.count)
      return ((own * own * count + common * common * pooled) / (count + pooled) / count).squareRoot()
    }
  }

  /// The logarithm of the density of a point at this distance from the level.
  private func ofPoint(_ distance: Double, _ width: Double) -> Double {
    let usual = Self.density(distance, width)
    guard hasOutliers else { return usual }
    return Double.log((1 - Self.outlierShare) * Double.exp(usual) + Self.outlierDensity)
  }

  /// The logarithm of Student's density, without the constant factor of all terms.
  private static func density(_ distance: Double, _ width: Double, freedom: Double = Self.freedom) -> Double {
    let scaled = distance / width
    return -Double.log(width) - (freedom + 1) / 2 * Double.log(1 + scaled * scaled / freedom)
  }

  /// The logarithm of a sum, from the logarithms of its terms.
  static func logSum(_ values: [Double]) -> Double { logSum(values.count) { values[$0] } }

  /// The logarithm of a sum over the levels, for the points between two places.
  ///
  /// - Parameters: the sums of `forEachSpread` at both places.
  static func logSum(from before: [Double], to after: [Double]) -> Double {
    logSum(after.count) { after[$0] - before[$0] }
  }

  @inline(__always) private static func logSum(_ count: Int, _ value: (Int) -> Double) -> Double {
    var greatest = -Double.infinity
    for place in 0..<count { greatest = max(greatest, value(place)) }
    guard greatest.isFinite else { return -.infinity }
    var sum = 0.0
    for place in 0..<count { sum += Double.exp(value(place) - greatest) }
    return greatest + Double.log(sum)
  }
}
