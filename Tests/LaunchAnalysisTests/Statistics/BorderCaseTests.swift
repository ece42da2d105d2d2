// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Samples that say little or nothing.
struct BorderCaseTests {
  @Test func fewValuesBoundNothing() {
    let one = ShiftInterval(paired: [0.3], tail: 0.005, scores: .bounded)
    #expect(one.estimate == 0.3)
    #expect(one.lower == -.infinity && one.upper == .infinity)
    // 2⁻⁷ is more than 0.005, 2⁻⁸ is less.
    for scores in [RankScores.all, .bounded] {
      #expect(SignedRankTest.criticalValue(count: 7, tail: 0.005, scores: scores) == nil)
      #expect(SignedRankTest.criticalValue(count: 8, tail: 0.005, scores: scores) == 0)
    }
    #expect(RankSumTest.criticalValue(2, 30, tail: 0.001) == nil)
    #expect(SignedRankTest.criticalValue(count: 0, tail: 0.5, scores: .all) == nil)
    let two = ShiftInterval(from: [1], to: [2], tail: 0.01)
    #expect(!(two.lower.isFinite && two.upper.isFinite))
  }

  @Test func equalValuesHaveOneShift() {
    for scores in [RankScores.all, .bounded] {
      let same = ShiftInterval(paired: [Double](repeating: 0.25, count: 30), tail: 0.005, scores: scores)
      #expect(same == ShiftInterval(estimate: 0.25, lower: 0.25, upper: 0.25))
    }
    let zeros = SignedRankTest([0, 0, 0], .bounded)
    #expect(zeros.count == 0 && zeros.probability.twoSided == 1)
    #expect(SignedRankTest([], .bounded).probability.twoSided == 1)
    // If all values are equal, ranks cannot tell the samples apart.
    let flat = RankSumTest([5, 5, 5], above: [5, 5, 5])
    #expect(flat.probability.greater == 1 && flat.probability.less == 1)
    #expect(RankSumTest([], above: [1]).probability.twoSided == 1)
  }

  @Test func pairwiseOrdersAreThoseOfTheSortedPairs() {
    var random = SeededGenerator(seed: 3)
    for count in [1, 2, 3, 10, 41] {
      let values = random.launches(count) + [0, -0.0, 1e300, -1e-300]
      let pairs = values.indices.flatMap { i in (i..<values.count).map { (values[i] + values[$0]) / 2 } }.sorted()
      let order = SignedRankOrder(values, .all)
      #expect(order.count == pairs.count)
      #expect((1...pairs.count).allSatisfy { order.smallest($0) == pairs[$0 - 1] })
      let other = random.launches(count + 2)
      let differences = values.flatMap { value in other.map { value - $0 } }.sorted()
      let both = PairwiseOrder(differencesOf: values, from: other)
      #expect((1...differences.count).allSatisfy { both.smallest($0) == differences[$0 - 1] })
    }
    #expect(SignedRankOrder([], .bounded).median.isNaN)
    #expect(PairwiseOrder(differencesOf: [], from: [1]).median.isNaN)
  }

  /// Rounds in which the machine's speed changed say nothing. Wilcoxon's ranks weigh them most, bounded scores hardly.
  @Test func aMachineOfTwoStatesWidensTheIntervalLittle() {
    var random = SeededGenerator(seed: 6)
    let steady = random.launches(90, level: 0.02, spread: 0.03)
    let changed = steady.enumerated().map {
      $0.offset % 3 == 0 ? $0.element + ($0.offset % 2 == 0 ? 0.4 : -0.4) : $0.element
    }
    func width(_ values: [Double], _ scores: RankScores) -> Double {
      let interval = ShiftInterval(paired: values, tail: 0.005, scores: scores)
      #expect(interval.lower < 0.02 && interval.upper > 0.02)
      return interval.upper - interval.lower
    }
    #expect(width(changed, .bounded) < 0.9 * width(changed, .all))
    #expect(width(steady, .bounded) < 1.3 * width(steady, .all))
  }

  @Test func quantilesOfFewValuesAreOpen() {
    let three = QuantileInterval([3, 1, 2], fraction: 0.9, tail: 0.005)
    // The probability that all three are above the ninetieth percentile is one in a thousand.
    #expect(three.lower == 1 && three.upper == .infinity)
    #expect(three.estimate == 2.8)
    #expect(QuantileInterval([7], fraction: 0.5, tail: 0.005).upper == .infinity)
  }

  @Test func holmGrowsAndKeepsItsOrder() {
    let adjusted = Holm.adjusted([0.01, 0.04, 0.03, 0.005])
    #expect(adjusted == [0.03, 0.06, 0.06, 0.02])
    #expect(Holm.adjusted([0.6, 0.7]) == [1, 1])
    #expect(Holm.adjusted([]).isEmpty)
  }

  @Test func sessionsThatAgreeHaveNoWidth() {
    let sessions = [[2.0, 2], [2, 2], [2]]
    let shift = SessionBootstrap(seed: 4, resamples: 99).shift(from: sessions, to: sessions, tail: 0.01)
    #expect(shift == ShiftInterval(estimate: 0, lower: 0, upper: 0))
  }

  @Test func theSameSeedGivesTheSameBounds() {
    var random = SeededGenerator(seed: 8)
    let base = (0..<6).map { _ in random.launches(9, level: 3) }
    let head = (0..<7).map { _ in random.launches(9, level: 3.2) }
    let shifts = [1, 1, 2].map { SessionBootstrap(seed: $0, resamples: 499).shift(from: base, to: head, tail: 0.01) }
    #expect(shifts[0] == shifts[1])
    #expect(shifts[0] != shifts[2])
    #expect(shifts[0].lower < shifts[0].estimate && shifts[0].estimate < shifts[0].upper)
  }

  @Test func aPlanLooksAtItsEnd() {
    for maximum in [1, 7, 10, 12, 40, 100, 1000] {
      let plan = SequentialPlan.doubling(maximum: maximum, tail: 0.005)
      #expect(plan.looks.last == maximum)
      #expect(plan.looks == plan.looks.sorted() && Set(plan.looks).count == plan.looks.count)
      #expect(plan.tails.allSatisfy { $0 > 0 && $0 <= 0.005 })
    }
    #expect(abs(SequentialPlan(looks: [30], tail: 0.005).tails[0] - 0.005) < 1e-12)
  }
}
