// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

/// What launches of different sessions may say, and how values of 0 are compared.
struct SessionDecisionTests {
  private static let thresholds = Thresholds(relative: 0.03, absolute: 1_000_000)

  /// In percent, of 100 ms.
  private func shift(_ estimate: Double, _ lower: Double, _ upper: Double, _ design: Shift.Design) -> Shift {
    func change(_ percent: Double) -> Shift.Change {
      Shift.Change(absolute: percent * 1_000_000, relative: percent / 100)
    }
    return Shift(
      base: 1e8, head: 1e8, estimate: change(estimate), lower: change(lower), upper: change(upper), count: 20,
      design: design, probability: nil)
  }

  /// One session may have waited for longer than the other in all its launches.
  @Test(arguments: [Shift.Design.rounds, .sessions, .spread, .history])
  func onCoreTimeDecidesOnlyAmongRounds(design: Shift.Design) {
    let (wall, equal) = (shift(2, -3, 7, design), shift(0, -1, 1, design))
    let decision = LiveDecision(wall: wall, cpu: equal, onCore: equal, thresholds: Self.thresholds)
    if design == .rounds {
      #expect(decision.verdict == .noChange && decision.decidedBy == .onCore)
    } else {
      #expect(decision.verdict.isInconclusive && decision.decidedBy == .total, "\(decision)")
    }
  }

  /// Six degrees of freedom: 2.4469 deviations leave 2.5 % on each side.
  @Test func theProbabilityOfADifferenceIsThatOfBothSides() {
    let spread = SessionSpread.Measured(deviation: 0.02, freedom: 6, commits: 10)
    for difference in [0.048938, -0.048938] { #expect(abs(spread.probability(of: difference) - 0.05) < 1e-5) }
    #expect(abs(spread.probability(of: 0) - 1) < 1e-9)
  }

  /// A launch without page faults, or without a phase. As differences, its sessions differ no less than as ratios.
  @Test func aValueThatIsZeroDoesNotNarrowTheSpreadOfSessions() {
    let base = [[0] + (1...11).map { 100_000_000 + Double($0) * 100_000 }]
    let head = base.map { $0.map { $0 * 1.1 } }
    func verdict(_ spread: Double) -> Verdict {
      Verdict(Shift(sessions: base, head, tail: 0.005, spread: .assumed(spread), seed: 1), Self.thresholds)
    }
    #expect(verdict(0) == .regressed && verdict(0.26).isInconclusive)
  }

  /// The logarithm of 0 bounds nothing.
  @Test func aZeroOfTheHeadMakesDifferences() {
    let base = (1...12).map { $0.isMultiple(of: 2) ? 100e6 : 200e6 }
    let head = [0] + base.dropFirst().map { $0 + 50e6 }
    let shift = Shift(rounds: base, head, tail: 0.005)
    #expect(shift.estimate.absolute == 50e6 && shift.isBounded, "\(shift)")
  }
}
