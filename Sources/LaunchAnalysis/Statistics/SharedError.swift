// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// How the tests of wall time and of CPU time share one error: together they err on each side at most twice as often as
/// one test of `tail` would.
///
/// With few rounds, each has half. Otherwise the wall time has 35 % of the error, because CPU time is what shows a small change. If both tests err in the same
/// rounds, that is one error and not two. So at the last look, CPU time also gets the probability with which both err.
///
/// That probability is known: if nothing differs, base and head of a round may as well be swapped, which turns the signs
/// of both differences. Given the magnitudes, and the rounds in which both signs agree, each round is one toss of a
/// coin, and the correlation of the two sums is a number, not an estimate (D252).
package struct SharedError: Sendable, Equatable {
  /// The error on each side of the wall time's interval.
  package let wall: Double
  package let cpu: Double

  private static let shareOfWall = 0.35

  /// Values by round, finite, equally many.
  package typealias Sides = (base: [Double], head: [Double])

  /// - Parameter isLastLook: false if the comparison may be evaluated again, with more rounds.
  package init(tail: Double, wall: Sides, cpu: Sides, isLastLook: Bool) {
    let differences = [wall, cpu].map { Shift.differences($0.base, $0.head).values }
    // Sums of few rounds are not normal enough, and a smaller part of the error would leave the interval without bounds.
    guard differences.allSatisfy({ $0.count { $0 != 0 } > SignedRankTest.exactUpTo }) else {
      (self.wall, self.cpu) = (tail, tail)
      return
    }
    let ofWall = 2 * tail * Self.shareOfWall
    let ofCPU = 2 * tail - ofWall
    self.wall = ofWall
    guard isLastLook else {
      self.cpu = ofCPU
      return
    }
    let correlation = SignedRankTest.correlation(differences[0], differences[1], .bounded)
    let bound = NormalDistribution.upperQuantile(ofWall)
    // The greatest part that both tests really spend in common.
    var (low, high) = (0.0, ofWall)
    for _ in 0..<30 {
      let middle = (low + high) / 2
      let common = NormalDistribution.above(
        bound, and: NormalDistribution.upperQuantile(ofCPU + middle), correlation: correlation)
      if common > middle { low = middle } else { high = middle }
    }
    self.cpu = ofCPU + low
  }
}

extension SignedRankTest {
  /// The correlation of two statistics of the same rounds, if each round's signs turn together.
  package static func correlation(_ first: [Double], _ second: [Double], _ scores: RankScores) -> Double {
    let (left, right) = (signedScores(first, scores), signedScores(second, scores))
    func sum(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
    let scale = (sum(left, left) * sum(right, right)).squareRoot()
    return scale > 0 ? sum(left, right) / scale : 0
  }

  /// Zero for a difference of zero.
  static func signedScores(_ differences: [Double], _ scores: RankScores) -> [Double] {
    let places = differences.indices.filter { differences[$0] != 0 }
    let highest = 2 * scores.highest(of: places.count)
    var result = [Double](repeating: 0, count: differences.count)
    for (place, rank) in zip(places, Ranks(places.map { differences[$0].magnitude }).doubled) {
      result[place] = differences[place] > 0 ? Double(min(rank, highest)) : -Double(min(rank, highest))
    }
    return result
  }
}

extension NormalDistribution {
  /// P(X ≥ `first` and Y ≥ `second`) of two standard normal variables, by Simpson's rule. A correlation above 0.99
  /// counts as 0.99, and one below −0.99 as −0.99.
  static func above(_ first: Double, and second: Double, correlation: Double) -> Double {
    let correlation = min(max(correlation, -0.99), 0.99)
    let rest = (1 - correlation * correlation).squareRoot()
    let (start, intervals) = (max(second, -9), 400)
    let width = (9 - start) / Double(intervals)
    guard width > 0 else { return 0 }
    let sum = (0...intervals).reduce(0) { sum, place in
      let y = start + width * Double(place)
      let weight = place == 0 || place == intervals ? 1.0 : place % 2 == 1 ? 4 : 2
      return sum + weight * Double.exp(-y * y / 2) * above((first - correlation * y) / rest)
    }
    return sum * width / 3 / (2 * Double.pi).squareRoot()
  }
}
