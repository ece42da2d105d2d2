// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// How likely one step is at each place of a series.
struct StepLikelihood {
  /// The logarithm of the likelihood of a step, by place − 1.
  private let atPlace: [Double]
  private let ofNone: Double

  /// - Parameters:
  ///   - samples: two or more, none of them empty.
  ///   - hasOutliers: whether single points may be outliers.
  init(_ samples: ArraySlice<[Double]>, _ prior: SeriesPrior, hasOutliers: Bool) {
    let series = SeriesLevels(samples, prior, hasOutliers: hasOutliers)
    var (ofNone, atPlace) = ([Double](), [[Double]](repeating: [], count: samples.count - 1))
    series.forEachSpread { weight, sums in
      let all = sums[samples.count]
      ofNone.append(weight + SeriesLevels.logSum(all) + series.logStep)
      for place in 1..<samples.count {
        let (before, after) = (SeriesLevels.logSum(sums[place]), SeriesLevels.logSum(from: sums[place], to: all))
        atPlace[place - 1].append(weight + before + after + 2 * series.logStep)
      }
    }
    self.ofNone = SeriesLevels.logSum(ofNone)
    self.atPlace = atPlace.map { SeriesLevels.logSum($0) - Double.log(SeriesLevels.range) }
  }

  /// The step, if it is certain.
  var step: StepSearch.Step? {
    let least = StepSearch.leastSegment
    // A step at either end could be an outlier, so it is not evidence of a step. It may still be the place of the step.
    let inner = atPlace[(least - 1)..<(atPlace.count - least + 1)]
    let evidence = SeriesLevels.logSum(Array(inner)) - Double.log(Double(atPlace.count)) - ofNone
    guard evidence >= StepSearch.leastEvidence else { return nil }
    let sum = SeriesLevels.logSum(atPlace)
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
}
