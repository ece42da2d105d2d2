// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Several scenarios share one allowed error.
struct ScenarioFamilyTests {
  private static let family = ScenarioFamily(tail: 0.005, count: 2)
  private static let options: ComparisonOptions = {
    var options = ComparisonOptions()
    options.tail = family.strictest
    options.lookTail = SequentialPlan.doubling(maximum: 40, tail: options.tail).tails.last
    return options
  }()

  /// Compared as one of two scenarios of which none is decided.
  private func result(slower: Double, seed: UInt64) -> GateResult {
    var launches = ComparedLaunches(seed: seed)
    launches.noise = 0.1
    let comparison = LaunchComparison(
      base: launches.rounds(40, side: "base"),
      head: launches.rounds(40, side: "head") { $0.database += Int64(30_000 * slower) }, options: Self.options)
    return GateResult(comparison: comparison, launches: comparison.head)
  }

  /// A step that the strictest error does not show, and twice of it does: the least of growing ones that shows there.
  private func marginal(_ seed: UInt64, beside clear: GateResult) -> GateResult? {
    var (least, most) = (0, 200)
    var found: GateResult?
    while most - least > 1 {
      let step = (least + most) / 2
      let candidate = result(slower: 0.002 * Double(step), seed: seed)
      if Self.family.corrected([candidate, clear], most: [40, 40])[0].status == .regressed {
        (most, found) = (step, candidate)
      } else {
        least = step
      }
    }
    return found?.status == .inconclusive ? found : nil
  }

  /// A lazy sequence would compute its first element several times.
  private func firstMarginal(beside clear: GateResult) -> GateResult? {
    for seed in 1...40 as ClosedRange<UInt64> {
      if let found = marginal(seed, beside: clear) { return found }
    }
    return nil
  }

  @Test func aScenarioThatRegressedLeavesItsShareToTheOthers() throws {
    let clear = result(slower: 2, seed: 5)
    let near = try #require(firstMarginal(beside: clear))
    let alone = Self.family.corrected([near, result(slower: 0, seed: 6)], most: [40, 40])
    #expect(alone.map(\.status) == [.inconclusive, alone[1].status], "no share is left to it")
    #expect(alone[0].comparison?.options.tail == Self.family.strictest)
    let corrected = Self.family.corrected([near, clear], most: [40, 40])
    #expect(corrected.map(\.status) == [.regressed, .regressed])
    #expect(corrected[0].comparison?.options.tail == 0.005 && corrected[1].comparison?.options.tail == 0.0025)
    let suite = GateSuite(corrected, confidence: 0.99)
    #expect(suite.status == .regressed && suite.count == 2)
  }

  /// Of each round, the wall time of one side varies by half. So only the CPU time of the head says something.
  @Test func aScenarioThatTheCPUTimeDecidedLeavesItsShareToo() {
    func side(_ name: String, slower: Double, _ step: Int) -> [Measurement] {
      (1...40).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", name)
        let (small, large) = (Double(round * 7 % 11) / 1000, Double(round * step % 13) / 13)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 30e6 * slower * (1 + large), .cpu: 20e6 * slower * (1 + small)], flame: [:],
          isCPUOfLaunch: true)
      }
    }
    var options = ComparisonOptions()
    options.tail = Self.family.strictest
    let comparison = LaunchComparison(
      base: side("base", slower: 1, 5), head: side("head", slower: 1.08, 8), options: options)
    #expect(comparison.outcome == .decided(.regressed) && comparison.decidedBy == "cpu", "\(comparison.outcome)")
    let decided = GateResult(comparison: comparison, launches: comparison.head)
    let corrected = Self.family.corrected([result(slower: 0, seed: 6), decided], most: [40, 40])
    #expect(corrected.map { $0.comparison?.options.tail } == [0.005, 0.0025])
  }

  /// They are evaluated once, and not in looks.
  @Test func recordedLaunchesGetTheWholeShare() {
    func result(slower: Int64, seed: UInt64) -> GateResult {
      var launches = ComparedLaunches(seed: seed)
      var options = ComparisonOptions()
      options.tail = Self.family.strictest
      let comparison = LaunchComparison(
        base: launches.session("monday", 20), head: launches.session("tuesday", 20) { $0.database += slower },
        options: options)
      return GateResult(comparison: comparison, launches: comparison.head)
    }
    let corrected = Self.family.corrected(
      [result(slower: 60_000, seed: 1), result(slower: 0, seed: 2)], most: [320, 320])
    #expect(corrected.map(\.status) == [.regressed, .inconclusive])
    #expect(corrected.map { $0.comparison?.options.tail } == [0.0025, 0.005])
    #expect(corrected.allSatisfy { $0.comparison?.options.lookTail == nil })
  }

  @Test func theGravestScenarioDecides() {
    var over = result(slower: 0, seed: 7)
    over.baselineProblem = "none"
    let suite = GateSuite([result(slower: 2, seed: 5), over, result(slower: 0, seed: 6)], confidence: 0.99)
    #expect(suite.status == .baselineMissing && suite.count == 1)
  }
}
