// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// The test of Mann, Whitney and Wilcoxon: are the values of one sample greater than those of another?
///
/// Mann and Whitney (1947), Annals of Mathematical Statistics 18(1). The distribution for small samples without ties
/// is exact. For others it is normal, with the corrections for continuity and for ties.
package struct RankSumTest: Sendable, Equatable {
  /// U of the first sample: in how many pairs its value is above the second sample's. Ties count half.
  package let statistic: Double
  package let probability: TestProbability

  /// Exact up to this many values in both samples together.
  package static let exactUpTo = 50

  /// - Parameters: finite values. With an empty sample both probabilities are 1.
  package init(_ first: [Double], above second: [Double], forcesNormal: Bool = false) {
    let ranks = Ranks(first + second)
    let (n, m) = (first.count, second.count)
    let rankSum = ranks.doubled[..<n].reduce(0, +)
    statistic = Double(rankSum) / 2 - Double(n * (n + 1)) / 2
    guard n > 0, m > 0 else {
      probability = TestProbability(greater: 1, less: 1)
      return
    }
    if n + m <= Self.exactUpTo, !ranks.hasTies, !forcesNormal {
      let distribution = Self.distribution(n, m)
      let place = Int(statistic)
      probability = TestProbability(
        greater: min(1, distribution[place...].reduce(0, +)), less: min(1, distribution[...place].reduce(0, +)))
    } else {
      let (mean, deviation) = Self.moments(n, m, tieTerm: ranks.tieTerm)
      // If all values are equal, the deviation is 0, both quotients are infinite, and the probabilities are 1.
      probability = TestProbability(
        greater: NormalDistribution.above((statistic - mean - 0.5) / deviation),
        less: NormalDistribution.below((statistic - mean + 0.5) / deviation))
    }
  }

  /// How many values each sample needs, so that there is a critical value.
  static func leastCount(tail: Double) -> Int {
    (1...exactUpTo / 2).first { criticalValue($0, $0, tail: tail) != nil } ?? exactUpTo / 2
  }

  private static func moments(_ n: Int, _ m: Int, tieTerm: Double) -> (mean: Double, deviation: Double) {
    let (n, m) = (Double(n), Double(m))
    let total = n + m
    return (n * m / 2, (n * m / 12 * (total + 1 - tieTerm / (total * (total - 1)))).squareRoot())
  }

  /// The largest c with P(U ≤ c) ≤ `tail` without ties; nil if even P(U = 0) is greater.
  package static func criticalValue(_ n: Int, _ m: Int, tail: Double) -> Int? {
    guard n > 0, m > 0 else { return nil }
    if n + m <= exactUpTo { return SubsetSums.lastPlace(of: distribution(n, m), upTo: tail) }
    let (mean, deviation) = moments(n, m, tieTerm: 0)
    let place = (mean - 0.5 - NormalDistribution.upperQuantile(tail) * deviation).rounded(.down)
    return place >= 0 ? Int(place) : nil
  }

  /// P(U = u) by u: the share of all ways to choose n of n + m ranks whose sum is u above the least one.
  private static func distribution(_ n: Int, _ m: Int) -> [Double] {
    // ways[i][u]: i ranks chosen so far. The rank r adds the number of the second sample's values below it.
    var ways = [[Double]](repeating: [Double](repeating: 0, count: n * m + 1), count: n + 1)
    ways[0][0] = 1
    for rank in 1...(n + m) {
      for chosen in stride(from: min(n, rank), through: 1, by: -1) {
        let below = rank - chosen
        guard below <= m else { continue }
        for u in below...(n * m) { ways[chosen][u] += ways[chosen - 1][u - below] }
      }
    }
    let all = ways[n].reduce(0, +)
    return ways[n].map { $0 / all }
  }
}
