// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Launches that are slow only sometimes, and only on one side.
struct TailGrowthTests {
  private static let thresholds = Thresholds.standard(total: 4e6)

  /// Rounds of launches of 4 ms. A part of each side's takes `slow` times as long.
  private static func rounds(
    _ count: Int, _ base: Double, _ head: Double, slow: Double = 2.5, seed: UInt64 = 1
  ) -> (base: [Double], head: [Double]) {
    var random = SeededGenerator("TailGrowthTests", seed: seed)
    func side(_ share: Double) -> [Double] {
      (1...count).map { _ in
        Double.random(in: 3.9e6...4.1e6, using: &random) * (Double.random(in: 0..<1, using: &random) < share ? slow : 1)
      }
    }
    return (side(base), side(head))
  }

  private static func growth(_ rounds: (base: [Double], head: [Double])) -> TailGrowth? {
    TailGrowth(.total, rounds: rounds.base, rounds.head, thresholds: thresholds, tail: 0.0025)
  }

  @Test func slowLaunchesOfTheHeadAreFound() throws {
    let growth = try #require(Self.growth(Self.rounds(160, 0, 0.3)))
    #expect((3.9e6...4.1e6).contains(growth.base) && (9.7e6...10.3e6).contains(growth.head), "\(growth)")
    #expect(Self.growth(Self.rounds(160, 0.3, 0)) == nil)
    // Ten rounds may be chance.
    #expect(Self.growth(Self.rounds(10, 0, 0.3)) == nil)
    #expect(Self.growth(([], [])) == nil)
  }

  /// A change that is too small to count is too small for slow launches, too.
  @Test func smallGrowthDoesNotCount() {
    #expect(Self.growth(Self.rounds(160, 0, 0.3, slow: 1.04)) == nil)
  }

  /// A processor with two states slows down launches of both sides.
  @Test func slowLaunchesOfBothSidesAreTheMachine() {
    let alarms = (1...400 as ClosedRange<UInt64>).count { Self.growth(Self.rounds(80, 0.2, 0.2, seed: $0)) != nil }
    #expect(alarms <= 3, "\(alarms)")
  }

  @Test func aLiveComparisonHasIt() throws {
    func side(_ name: String, _ values: [Double], isLive: Bool = true) -> [Measurement] {
      values.enumerated().map { place, total in
        var provenance = Provenance(round: place + 1)
        (provenance.session, provenance.side) = (isLive ? "live" : name, isLive ? name : nil)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: [.total: total], flame: [:],
          isCPUOfLaunch: false)
      }
    }
    let rounds = Self.rounds(320, 0, 0.2)
    let live = LaunchComparison(base: side("base", rounds.base), head: side("head", rounds.head))
    #expect(live.outcome == .decided(.noChange))
    #expect(live.tailGrowth?.metric == .total)
    // Sessions differ for other reasons.
    let recorded = LaunchComparison(
      base: side("base", rounds.base, isLive: false), head: side("head", rounds.head, isLive: false))
    #expect(recorded.tailGrowth == nil)
    // A regression says more.
    let slower = LaunchComparison(base: side("base", rounds.base), head: side("head", rounds.head.map { $0 + 1e6 }))
    #expect(slower.outcome == .decided(.regressed) && slower.tailGrowth == nil)
  }
}
