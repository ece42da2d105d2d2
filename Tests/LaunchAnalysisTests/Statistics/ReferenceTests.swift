// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Compares every statistic with scipy, on random samples whose seed is printed.
struct ReferenceTests {
  @Test func signedRanks() throws {
    var random = SeededGenerator(seed: 20)
    let plain = [4, 5, 8, 13, 20, 37, 50].map { random.launches($0, level: 0.03) }
    let tied = [3, 6, 9, 11, 12].map { random.ties($0, within: -3...5) }
      .filter { values in values.contains { $0 != 0 } }
    let theirs = try Reference.values(
      plain.map { ReferenceCase(kind: "signed_rank", values: [$0]) }
        + tied.map { ReferenceCase(kind: "signed_rank_ties", values: [$0]) })
    for (values, theirs) in zip(plain + tied, theirs) {
      let (exact, normal) = (SignedRankTest(values, .all), SignedRankTest(values, .all, forcesNormal: true))
      expectSame(
        [
          exact.statistic, exact.probability.greater, exact.probability.less, normal.probability.greater,
          normal.probability.less,
        ], theirs[...], "\(values)")
    }
  }

  @Test func boundedSignedRanks() throws {
    var random = SeededGenerator(seed: 21)
    let small = [2, 3, 7, 11, 13].map { random.launches($0, level: 0.03) }
    let tied = [4, 8, 12].map { random.ties($0, within: -3...5) }
      .filter { values in values.contains { $0 != 0 } }
    let large = [40, 60, 150].map { random.launches($0, level: 0.01) }
    let theirs = try Reference.values(
      (small + tied).map { ReferenceCase(kind: "bounded_signed_rank", values: [$0]) }
        + large.map { ReferenceCase(kind: "bounded_signed_rank_drawn", values: [$0]) })
    for (values, theirs) in zip(small + tied + large, theirs) {
      let test = SignedRankTest(values, .bounded)
      expectSame([test.statistic], theirs[..<1], "\(values)")
      // 20,000 draws: at most four standard errors, plus the error of the normal approximation.
      expectSame(
        [test.probability.greater, test.probability.less], theirs[1...], within: values.count > 13 ? 0.016 : 1e-9,
        "\(values)")
    }
  }

  @Test func boundedIntervalsAreWhatTheTestDoesNotReject() throws {
    var random = SeededGenerator(seed: 22)
    let cases = [(5, 0.1), (8, 0.05), (9, 0.01), (12, 0.005)].map { count, tail in
      ReferenceCase(kind: "bounded_interval", values: [random.launches(count, level: 0.02)], parameters: [tail])
    }
    for (asked, theirs) in zip(cases, try Reference.values(cases)) {
      let ours = ShiftInterval(paired: asked.values[0], tail: asked.parameters[0], scores: .bounded)
      expectSame([ours.estimate, ours.lower, ours.upper], theirs[...], "\(asked.values)")
    }
  }

  @Test func rankSums() throws {
    var random = SeededGenerator(seed: 20)
    let plain = [(3, 4), (5, 5), (8, 12), (20, 25), (30, 20)].map { sizes in
      [random.launches(sizes.0, level: 0.1), random.launches(sizes.1)]
    }
    let tied = [(4, 6), (15, 10), (60, 80)].map { sizes in
      [random.ties(sizes.0, within: 0...6), random.ties(sizes.1, within: 0...5)]
    }
    let theirs = try Reference.values(
      plain.map { ReferenceCase(kind: "rank_sum", values: $0) }
        + tied.map { ReferenceCase(kind: "rank_sum_ties", values: $0) })
    for (values, theirs) in zip(plain, theirs) {
      let exact = RankSumTest(values[0], above: values[1])
      let normal = RankSumTest(values[0], above: values[1], forcesNormal: true)
      expectSame(
        [
          exact.statistic, exact.probability.greater, exact.probability.less, normal.probability.greater,
          normal.probability.less,
        ], theirs[...], "\(values)")
    }
    for (values, theirs) in zip(tied, theirs[plain.count...]) {
      let test = RankSumTest(values[0], above: values[1])
      expectSame([test.statistic, test.probability.greater, test.probability.less], theirs[...], "\(values)")
    }
  }

  @Test func intervalsAreWhatTheTestsDoNotReject() throws {
    var random = SeededGenerator(seed: 20)
    let paired = [(8, 0.05), (20, 0.005), (50, 0.005), (51, 0.005), (120, 0.001)].map { count, tail in
      ReferenceCase(kind: "paired_interval", values: [random.launches(count, level: 0.02)], parameters: [tail])
    }
    let unpaired = [(6, 7, 0.025), (20, 25, 0.005), (40, 30, 0.005)].map { base, head, tail in
      ReferenceCase(
        kind: "unpaired_interval", values: [random.launches(base), random.launches(head, level: 0.04)],
        parameters: [tail])
    }
    for (asked, theirs) in zip(paired + unpaired, try Reference.values(paired + unpaired)) {
      let ours =
        asked.values.count == 1
        ? ShiftInterval(paired: asked.values[0], tail: asked.parameters[0], scores: .all)
        : ShiftInterval(from: asked.values[0], to: asked.values[1], tail: asked.parameters[0])
      expectSame([ours.estimate, ours.lower, ours.upper], theirs[...], asked.kind)
    }
  }

  @Test func quantilesOfTheBinomialDistribution() throws {
    var random = SeededGenerator(seed: 20)
    let cases = [(5, 0.5, 0.05), (20, 0.5, 0.005), (20, 0.9, 0.005), (100, 0.9, 0.005), (1000, 0.5, 0.025)]
      .map { count, fraction, tail in
        ReferenceCase(
          kind: "quantile_interval", values: [random.launches(count, level: 10)], parameters: [fraction, tail])
      }
    for (asked, theirs) in zip(cases, try Reference.values(cases)) {
      let ours = QuantileInterval(asked.values[0], fraction: asked.parameters[0], tail: asked.parameters[1])
      expectSame([ours.estimate, ours.lower, ours.upper], theirs[...], "\(asked.parameters)")
    }
  }

  @Test func theNormalDistribution() throws {
    let places: [Double] = [-6, -1.5, 0, 0.3, 2.576, 8]
    let shares = [1e-12, 1e-5, 0.005, 0.3, 0.5, 0.975]
    let theirs = try Reference.values([ReferenceCase(kind: "normal", values: [places, shares])])
    expectSame(
      places.map(NormalDistribution.above) + shares.map(NormalDistribution.upperQuantile), theirs[0][...], "normal")
    // The digits of the smallest tails are correct too.
    #expect(abs(NormalDistribution.above(8) / theirs[0][5] - 1) < 1e-9)
  }

  @Test func studentsDistribution() throws {
    let places: [Double] = [-40, -1.5, 0, 0.3, 2.576, 12, 500]
    let shares = [1e-12, 1e-5, 0.005, 0.3, 0.5]
    let freedoms = [0.5, 14.0 / 3, 26, 1000]
    let cases = freedoms.map { ReferenceCase(kind: "student", values: [places, shares], parameters: [$0]) }
    for (freedom, theirs) in zip(freedoms, try Reference.values(cases)) {
      let student = StudentDistribution(freedom: freedom)
      expectSame(places.map(student.above) + shares.map(student.upperQuantile), theirs[...], "freedom \(freedom)")
    }
  }

  @Test func boundariesSpendWhatTheySay() throws {
    let plans = [SequentialPlan(looks: [1, 2, 3, 4, 5], tail: 0.025), .doubling(maximum: 160, tail: 0.05)]
    let theirs = try Reference.values(
      plans.map { ReferenceCase(kind: "crossing", values: [$0.looks.map(Double.init), $0.tails]) })
    for ((plan, tail), crossed) in zip(zip(plans, [0.025, 0.05]), theirs) {
      let spent = plan.looks.indices.map { place in
        SequentialPlan.spent(at: Double(place + 1) / Double(plan.looks.count), of: tail)
      }
      expectSame(spent, crossed[...], within: 1e-5, "\(plan.looks)")
    }
    // Lan and DeMets's table for five equal looks.
    let boundaries = plans[0].tails.map(NormalDistribution.upperQuantile)
    expectSame(boundaries, [4.8769, 3.3570, 2.6803, 2.2898, 2.0310][...], within: 1e-4, "Lan and DeMets")
  }

  @Test func bootstrapOfSessions() throws {
    var random = SeededGenerator(seed: 11)
    let (base, head) = (random.launches(14), random.launches(12, level: 0.1))
    let theirs = try Reference.values([ReferenceCase(kind: "bootstrap", values: [base, head], parameters: [0.05])])[0]
    let ours = SessionBootstrap(seed: 1, resamples: 9999).shift(
      from: base.map { [$0] }, to: head.map { [$0] }, tail: 0.05)
    expectSame([ours.estimate], theirs[..<1], "estimate")
    // Each side draws 9,999 times, so the bounds differ by Monte Carlo error.
    let width = theirs[2] - theirs[1]
    expectSame([ours.lower, ours.upper], theirs[1...], within: 0.06 * width, "bounds")
  }

  @Test func stepsOfLevels() throws {
    var random = SeededGenerator(seed: 20)
    let shapes: [(before: Int, after: Int, step: Double)] = [(9, 12, 0.5), (5, 5, 0.3), (3, 20, -0.4)]
    let series: [[[Double]]] = shapes.map { shape in
      (0..<shape.before + shape.after).map { place in
        random.launches(9, level: place < shape.before ? 2 : 2 + shape.step, spread: 0.05)
      }
    }
    let theirs = try Reference.values(series.map { ReferenceCase(kind: "step", values: $0, parameters: []) })
    for (samples, theirs) in zip(series, theirs) {
      let step = try #require(StepSearch.steps(in: samples).first)
      let ours = [step.evidence, Double(step.place), step.probabilities.max() ?? 0]
      expectSame(ours, theirs[...], within: 1e-6, "\(samples)")
    }
  }
}
