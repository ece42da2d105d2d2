// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// How likely it is that some points in the middle of a series have another level: a commit made launches slower, and a
/// later one made them fast again. One step does not explain such a series.
struct BumpLikelihood {
  /// The logarithm of the likelihood of each of `bumps`.
  private let ofBump: [Double]
  private let ofNone: Double
  private let bumps: [Range<Int>]

  /// - Parameters:
  ///   - samples: none of them empty.
  ///   - hasOutliers: whether single points may be outliers.
  init(_ samples: ArraySlice<[Double]>, _ prior: SeriesPrior, hasOutliers: Bool) {
    let bumps = Self.bumps(in: samples.count)
    let series = SeriesLevels(samples, prior, hasOutliers: hasOutliers)
    var (ofNone, ofBump) = ([Double](), [[Double]](repeating: [], count: bumps.count))
    series.forEachSpread { weight, sums in
      let all = sums[samples.count]
      ofNone.append(weight + SeriesLevels.logSum(all) + series.logStep)
      let before = sums.map(SeriesLevels.logSum)
      let after = sums.map { SeriesLevels.logSum(from: $0, to: all) }
      for (number, bump) in bumps.enumerated() {
        let inside = SeriesLevels.logSum(from: sums[bump.lowerBound], to: sums[bump.upperBound])
        ofBump[number].append(weight + before[bump.lowerBound] + inside + after[bump.upperBound] + 3 * series.logStep)
      }
    }
    self.ofNone = SeriesLevels.logSum(ofNone)
    self.ofBump = ofBump.map { SeriesLevels.logSum($0) - 2 * Double.log(SeriesLevels.range) }
    self.bumps = bumps
  }

  /// The most probable bump, if one is certain. Both ends may be off by an eighth of its length.
  var bump: Range<Int>? {
    guard let most = ofBump.indices.max(by: { ofBump[$0] < ofBump[$1] }) else { return nil }
    let evidence = SeriesLevels.logSum(ofBump) - Double.log(Double(bumps.count)) - ofNone
    return evidence >= StepSearch.leastEvidence ? bumps[most] : nil
  }

  /// The tried bumps: lengths that grow by a quarter, each at places a quarter of the length apart. Their number grows
  /// with that of the points, and not with its square.
  private static func bumps(in count: Int) -> [Range<Int>] {
    let least = StepSearch.leastSegment
    var (bumps, length) = ([Range<Int>](), least)
    while length <= count - 2 * least {
      for start in stride(from: least, through: count - least - length, by: max(1, length / 4)) {
        bumps.append(start..<(start + length))
      }
      length += max(1, length / 4)
    }
    return bumps
  }
}
