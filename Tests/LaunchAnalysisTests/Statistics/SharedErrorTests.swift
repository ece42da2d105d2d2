// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

struct SharedErrorTests {
  private static let tail = 0.02

  /// Differences as sides, on the scale of ratios.
  private func sides(_ differences: [Double]) -> SharedError.Sides {
    (differences.map { _ in 1e9 }, differences.map { 1e9 * Logarithm.inverse($0) })
  }

  private func error(_ wall: [Double], _ cpu: [Double], isLastLook: Bool = true) -> SharedError {
    SharedError(tail: Self.tail, wall: sides(wall), cpu: sides(cpu), isLastLook: isLastLook)
  }

  @Test func earlyLooksAndFewRoundsSplitTheError() {
    var random = SeededGenerator(seed: 30)
    let rounds = random.launches(80)
    let early = error(rounds, rounds, isLastLook: false)
    #expect(abs(early.wall - 0.7 * Self.tail) < 1e-12)
    #expect(abs(early.cpu - 1.3 * Self.tail) < 1e-12)
    let few = random.launches(50)
    for isLastLook in [false, true] {
      let split = error(few, few, isLastLook: isLastLook)
      #expect(split.wall == Self.tail && split.cpu == Self.tail)
    }
  }

  @Test func whatBothErrInCountsOnce() {
    var random = SeededGenerator(seed: 31)
    let rounds = random.launches(100)
    let (same, opposite) = (error(rounds, rounds), error(rounds, rounds.map { -$0 }))
    #expect(same.wall == opposite.wall)
    // One test of everything would have 2 · tail.
    #expect(same.cpu > 1.9 * Self.tail && same.cpu <= 2 * Self.tail)
    #expect(abs(opposite.cpu - 1.3 * Self.tail) < 1e-6)
  }

  @Test func theBivariateNormalDistributionIsThatOfTables() {
    // P(X ≥ 0, Y ≥ 0) = ¼ + arcsin ρ / 2π (Sheppard 1899).
    #expect(abs(NormalDistribution.above(0, and: 0, correlation: 0.5) - 1.0 / 3) < 1e-9)
    #expect(abs(NormalDistribution.above(0, and: 0, correlation: -0.5) - 1.0 / 6) < 1e-9)
    let alone = NormalDistribution.above(2)
    #expect(abs(NormalDistribution.above(2, and: 2, correlation: 0) - alone * alone) < 1e-9)
  }

  enum Noise: CaseIterable { case normal, tied, heavy }

  /// Tosses a coin for each round: together, both tests reject no more often than one test of twice the tail.
  @Test(arguments: Noise.allCases) func bothTogetherErrAsOneTest(_ noise: Noise) {
    var random = SeededGenerator("\(noise)", seed: 32)
    for (agreeing, least) in [(0, 0.0), (25, 0), (50, 0), (75, 0), (95, 1.7), (100, 1.75)] {
      let (first, second) = (magnitudes(noise, &random), magnitudes(noise, &random))
      let wall = first
      // From 95 on, both times are also of the same size.
      let cpu = (agreeing < 95 ? second : first).map { Int.random(in: 0..<100, using: &random) < agreeing ? $0 : -$0 }
      let error = error(wall, cpu)
      let rejected = rejections(wall, cpu, error, &random)
      // Four standard errors.
      #expect(rejected < 2 * Self.tail + 4 * (2 * Self.tail / Double(Self.draws)).squareRoot(), "\(agreeing)")
      #expect(rejected > least * Self.tail, "\(agreeing)")
    }
  }

  private static let draws = 10_000

  private func magnitudes(_ noise: Noise, _ random: inout SeededGenerator) -> [Double] {
    (0..<120).map { _ in
      switch noise {
      case .normal: (0..<6).reduce(0.001) { sum, _ in sum + Double.random(in: 0...0.02, using: &random) }
      case .tied: Double(Int.random(in: 1...12, using: &random)) / 100
      case .heavy: 0.001 / (1 - Double.random(in: 0..<0.9999, using: &random))
      }
    }
  }

  /// The share of draws in which one of the tests rejects, as the intervals do.
  private func rejections(
    _ wall: [Double], _ cpu: [Double], _ error: SharedError, _ random: inout SeededGenerator
  ) -> Double {
    let scores = [wall, cpu].map { SignedRankTest.signedScores($0, .bounded) }
    let critical = zip([wall, cpu], [error.wall, error.cpu]).map { differences, tail in
      SignedRankTest.criticalValue(count: differences.count, tail: tail, scores: .bounded) ?? -1
    }
    var rejected = 0
    for _ in 0..<Self.draws {
      var below = (0.0, 0.0)
      for place in wall.indices {
        let sign = Bool.random(using: &random) ? 1.0 : -1
        below.0 += max(0, -sign * scores[0][place])
        below.1 += max(0, -sign * scores[1][place])
      }
      // The scores are doubled.
      if below.0 / 2 <= Double(critical[0]) || below.1 / 2 <= Double(critical[1]) { rejected += 1 }
    }
    return Double(rejected) / Double(Self.draws)
  }

  @Test func intervalsAgreeWithTheTests() {
    var random = SeededGenerator(seed: 33)
    var isAbove: Set<Bool> = []
    for level in stride(from: 0, through: 0.05, by: 0.002) {
      let (wall, cpu) = (random.launches(90, level: level), random.launches(90, level: level))
      let error = error(wall, cpu)
      for (differences, tail) in [(wall, error.wall), (cpu, error.cpu)] {
        let interval = ShiftInterval(paired: differences, tail: tail, scores: .bounded)
        #expect((interval.lower > 0) == (SignedRankTest(differences, .bounded).probability.greater <= tail))
        isAbove.insert(interval.lower > 0)
      }
    }
    #expect(isAbove == [false, true])
  }
}
