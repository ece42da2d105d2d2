// SPDX-License-Identifier: Apache-2.0

/// The signed-rank test: are paired differences centred on 0?
///
/// Wilcoxon (1945), Biometrics Bulletin 1(6). Zeros are left out, and equal magnitudes share their ranks. Up to 50
/// differences, the distribution is exact for the scores with their ties. Beyond that it is normal, with the
/// corrections for continuity and for ties.
package struct SignedRankTest: Sendable, Equatable {
  /// The sum of the positive differences' scores, W⁺.
  package let statistic: Double
  /// Number of differences other than zero.
  package let count: Int
  package let probability: TestProbability

  package static let exactUpTo = 50

  /// - Parameter differences: finite. If none is other than zero, both probabilities are 1.
  package init(_ differences: [Double], _ scores: RankScores, forcesNormal: Bool = false) {
    let differences = differences.filter { $0 != 0 }
    count = differences.count
    guard count > 0 else {
      statistic = 0
      probability = TestProbability(greater: 1, less: 1)
      return
    }
    // Doubled, like shared ranks.
    let highest = 2 * scores.highest(of: count)
    let weights = Ranks(differences.map(\.magnitude)).doubled.map { min($0, highest) }
    let doubled = zip(differences, weights).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    statistic = Double(doubled) / 2
    if count <= Self.exactUpTo, !forcesNormal {
      let distribution = SubsetSums.probabilities(of: weights)
      probability = TestProbability(
        greater: min(1, distribution[doubled...].reduce(0, +)), less: min(1, distribution[...doubled].reduce(0, +)))
    } else {
      let (mean, deviation) = Self.moments(doubled: weights)
      probability = TestProbability(
        greater: NormalDistribution.above((statistic - mean - 0.5) / deviation),
        less: NormalDistribution.below((statistic - mean + 0.5) / deviation))
    }
  }

  /// Each score counts with probability ½.
  private static func moments(doubled weights: [Int]) -> (mean: Double, deviation: Double) {
    (
      Double(weights.reduce(0, +)) / 4, (Double(weights.reduce(0) { $0 + $1 * $1 }) / 16).squareRoot()
    )
  }

  /// The least number of differences that can reject anything: if all of them are on one side, P(W⁺ = 0) = 2⁻ⁿ.
  static func leastCount(tail: Double) -> Int {
    var (count, probability) = (1, 0.5)
    while probability > tail { (count, probability) = (count + 1, probability / 2) }
    return count
  }

  /// The largest c with P(W⁺ ≤ c) ≤ `tail` for `count` differences without ties; nil if even P(W⁺ = 0) is greater.
  package static func criticalValue(count: Int, tail: Double, scores: RankScores) -> Int? {
    guard count > 0 else { return nil }
    let highest = scores.highest(of: count)
    let weights = (1...count).map { min($0, highest) }
    if count <= exactUpTo { return SubsetSums.lastPlace(of: SubsetSums.probabilities(of: weights), upTo: tail) }
    let (mean, deviation) = moments(doubled: weights.map { 2 * $0 })
    let place = (mean - 0.5 - NormalDistribution.upperQuantile(tail) * deviation).rounded(.down)
    return place >= 0 ? Int(place) : nil
  }
}

/// Sums of random subsets: the exact distributions of rank tests.
enum SubsetSums {
  /// By sum: its probability if each of the `weights` is taken with probability ½.
  static func probabilities(of weights: [Int]) -> [Double] {
    var result = [1.0]
    result.reserveCapacity(weights.reduce(1, +))
    for weight in weights.sorted() {
      let old = result.count
      result.append(contentsOf: repeatElement(0, count: weight))
      for sum in stride(from: old - 1, through: 0, by: -1) { result[sum + weight] += result[sum] }
      // Halved at each step, so that nothing overflows.
      for sum in result.indices { result[sum] /= 2 }
    }
    return result
  }

  /// The last index up to which the probabilities add up to at most `tail`.
  static func lastPlace(of probabilities: [Double], upTo tail: Double) -> Int? {
    var sum = 0.0
    var last: Int?
    for (place, probability) in probabilities.enumerated() {
      sum += probability
      if sum > tail { break }
      last = place
    }
    return last
  }
}
