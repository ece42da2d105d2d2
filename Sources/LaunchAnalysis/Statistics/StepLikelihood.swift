// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// How likely one step is at each place of a series.
///
/// A point's median differs from the level by an error with two parts. The first is the error of the median, from the
/// spread of the point's own launches. The second is the spread between points, because two commits are launched at
/// different times. The error has Student's distribution with three degrees of freedom, because launches have heavy
/// tails. The levels and the spread between points are unknown, so the likelihood is the integral over both.
struct StepLikelihood {
  /// The logarithm of the likelihood of a step, by place − 1.
  private let atPlace: [Double]
  private let ofNone: Double

  private static let levels = 161
  private static let freedom = 10.0
  /// Spreads between points, from 0.2 % to 50 %, by a factor of 1.5.
  private static let spreads = (0..<14).map { 0.002 * Double.pow(1.53, Double($0)) }
  /// The usual spread between points: this part of the spread within one, and at least the other.
  private static let usualSpread = (part: 0.5, least: 0.005)
  /// How far the logarithm of a spread may be from the usual one. Student's distribution with three degrees of freedom
  /// allows machines that differ much more between commits than within one.
  private static let spreadScale = 0.8
  /// A new level differs from the old one by at most this on the logarithmic scale: between half and twice.
  private static let range = 0.7
  /// The spread of all points counts as much as this many launches of a point's own.
  private static let pooled = 10.0

  /// - Parameter samples: two or more, none of them empty.
  init(_ samples: ArraySlice<[Double]>) {
    let medians = samples.map(SessionBootstrap.median)
    let (errors, within) = Self.errors(samples, medians)
    let usual = max(Self.usualSpread.part * within, Self.usualSpread.least)
    let weights = Self.spreads.map { Self.density(Double.log($0 / usual), Self.spreadScale, freedom: 3) }
    let allWeights = Self.logSum(weights)
    let (low, high) = ((medians.min() ?? 0) - 0.05, (medians.max() ?? 0) + 0.05)
    let step = (high - low) / Double(Self.levels - 1)
    let levels = (0..<Self.levels).map { low + step * Double($0) }
    var (ofNone, atPlace) = ([Double](), [[Double]](repeating: [], count: medians.count - 1))
    for (spread, weight) in zip(Self.spreads, weights.map { $0 - allWeights }) {
      // Sums over the points before each place, by level.
      var sums = [[Double](repeating: 0, count: levels.count)]
      for (median, error) in zip(medians, errors) {
        let width = (error * error + spread * spread).squareRoot()
        let last = sums[sums.count - 1]
        sums.append(zip(levels, last).map { $1 + Self.density(median - $0, width) })
      }
      let all = sums[medians.count]
      ofNone.append(weight + Self.logSum(all) + Double.log(step))
      for place in 1..<medians.count {
        let after = zip(all, sums[place]).map { $0 - $1 }
        atPlace[place - 1].append(weight + Self.logSum(sums[place]) + Self.logSum(after) + 2 * Double.log(step))
      }
    }
    self.ofNone = Self.logSum(ofNone)
    self.atPlace = atPlace.map { Self.logSum($0) - Double.log(Self.range) }
  }

  /// The step, if it is certain.
  var step: StepSearch.Step? {
    let least = StepSearch.leastSegment
    // A step at either end could be an outlier, so it is not evidence of a step. It may still be the place of the step.
    let inner = atPlace[(least - 1)..<(atPlace.count - least + 1)]
    let evidence = Self.logSum(Array(inner)) - Double.log(Double(atPlace.count)) - ofNone
    guard evidence >= StepSearch.leastEvidence else { return nil }
    let sum = Self.logSum(atPlace)
    let probabilities = atPlace.map { Double.exp($0 - sum) }
    guard var low = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }) else { return nil }
    let place = low + 1
    guard (least...(probabilities.count + 1 - least)).contains(place) else { return nil }
    var (high, held) = (low, probabilities[low])
    while held < StepSearch.confidence, high - low + 1 < probabilities.count {
      let (before, after) = (
        low > 0 ? probabilities[low - 1] : -1, high + 1 < probabilities.count ? probabilities[high + 1] : -1
      )
      if before >= after { low -= 1 } else { high += 1 }
      held += max(before, after)
    }
    return StepSearch.Step(
      place: place, places: (low + 1)...(high + 1), probabilities: Array(probabilities[low...high]),
      evidence: evidence)
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

  /// The logarithm of Student's density, without the constant factor of all terms.
  private static func density(_ distance: Double, _ width: Double, freedom: Double = Self.freedom) -> Double {
    let scaled = distance / width
    return -Double.log(width) - (freedom + 1) / 2 * Double.log(1 + scaled * scaled / freedom)
  }

  /// The logarithm of a sum, from the logarithms of its terms.
  private static func logSum(_ values: [Double]) -> Double {
    guard let greatest = values.max(), greatest.isFinite else { return -.infinity }
    return greatest + Double.log(values.reduce(0) { $0 + Double.exp($1 - greatest) })
  }
}
