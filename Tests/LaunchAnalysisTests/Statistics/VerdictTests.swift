// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

struct VerdictTests {
  private static let thresholds = Thresholds(relative: 0.03, absolute: 1_000_000)

  /// The verdict on a shift, in percent, of a 100 ms launch.
  private func verdict(_ estimate: Double, _ lower: Double, _ upper: Double, base: Double = 100_000_000) -> Verdict {
    func change(_ percent: Double) -> Shift.Change {
      Shift.Change(absolute: base * percent / 100, relative: percent / 100)
    }
    return Verdict(
      Shift(
        base: base, head: base, estimate: change(estimate), lower: change(lower), upper: change(upper), count: 20,
        design: .rounds, probability: nil), Self.thresholds)
  }

  @Test func theIntervalDecides() {
    #expect(verdict(5, 1, 9) == .regressed)
    #expect(verdict(5, -1, 11).isInconclusive)
    #expect(verdict(2, 1, 2.9) == .noChange)
    #expect(verdict(2, 1, 4).isInconclusive)
    #expect(verdict(0, -2, 2) == .noChange)
    #expect(verdict(-4, -6, -2) == .improved)
    #expect(verdict(-4, -9, 1) == .noChange)
    #expect(verdict(0, -.infinity, .infinity) == .inconclusive(.unknown))
  }

  @Test func bothExcessesAreAskedFor() {
    // 10 % of 600 µs is less than a millisecond. 2 % of a second is more than one, but less than 3 %.
    #expect(verdict(10, 5, 20, base: 600_000) == .noChange)
    #expect(verdict(2, 1, 2.5, base: 1_000_000_000) == .noChange)
    #expect(verdict(200, 100, 300, base: 600_000) == .regressed)
  }

  @Test func furtherRunsFollowTheRoot() {
    // The lower bound must move from −5 to 0. That takes half the width, so four times as many runs.
    guard case .inconclusive(.runs(let runs)) = verdict(5, -5, 15) else { return #expect(Bool(false)) }
    #expect(runs == 60)
    // If the shift equals the threshold, no number of runs decides.
    #expect(verdict(3, -1, 7) == .inconclusive(.useless))
  }

  /// Too few rounds give no interval, whatever they say. As many as the verdict names do.
  @Test(arguments: [(0.005, 3), (0.005, 10), (0.000_05, 14), (0.000_000_005, 20)])
  func theConfidenceNeedsRounds(tail: Double, count: Int) throws {
    func shift(_ count: Int) -> Shift {
      let base = (1...count).map { 50_000_000 + Double($0 % 5) * 100_000 }
      return Shift(rounds: base, base.map { $0 * 1.4 }, tail: tail)
    }
    let few = shift(count)
    if few.isBounded { return #expect(Verdict(few, Self.thresholds) == .regressed) }
    guard case .inconclusive(.runs(let more)) = Verdict(few, Self.thresholds) else { return #expect(Bool(false)) }
    #expect(Verdict(shift(count + more), Self.thresholds) == .regressed)
    let least = try #require(few.leastCount)
    #expect(!shift(least - 1).isBounded && shift(least).isBounded)
  }

  @Test func standardThresholdsAreGentleToShortLaunches() {
    #expect(Thresholds.standard(total: 3_000_000).absolute == 150_000)
    #expect(Thresholds.standard(total: 400_000_000) == Thresholds(relative: 0.03, absolute: 1_000_000))
    #expect(Thresholds.standard(total: 10_000_000).effective(base: 10_000_000) == 0.05)
  }

  @Test func valuesThatAreZeroAreCompared() {
    let zeros = [Double](repeating: 0, count: 12)
    let shift = Shift(rounds: zeros, zeros.map { _ in 5_000_000 }, tail: 0.005)
    #expect(shift.estimate == Shift.Change(absolute: 5_000_000, relative: .infinity))
    #expect(Verdict(shift, Self.thresholds) == .regressed)
    #expect(Verdict(Shift(rounds: zeros, zeros, tail: 0.005), Self.thresholds) == .noChange)
    let sessions = [[Double]](repeating: zeros, count: Shift.leastSessions)
    for side in [[zeros], sessions] {
      let shift = Shift(sessions: side, side, tail: 0.005, spread: .assumed(0.26), seed: 1)
      #expect(Verdict(shift, Self.thresholds) == .noChange)
    }
  }

  @Test func oneLaunchIsInconclusive() {
    let shift = Shift(rounds: [100_000_000], [200_000_000], tail: 0.005)
    #expect(shift.lower.relative == -1)
    #expect(Verdict(shift, Self.thresholds).isInconclusive)
  }

  @Test func fewSessionsAreWidened() {
    let base = [[100.0, 101, 99, 100.5, 100.2, 99.4, 98.9, 100.9].map { $0 * 1e6 }]
    let head = base.map { $0.map { $0 * 1.2 } }
    let narrow = Shift(sessions: base, head, tail: 0.005, spread: .assumed(0), seed: 1)
    #expect(Verdict(narrow, Self.thresholds) == .regressed)
    let wide = Shift(sessions: base, head, tail: 0.005, spread: .assumed(0.26), seed: 1)
    #expect(wide.design == .spread && wide.probability == nil)
    #expect(Verdict(wide, Self.thresholds).isInconclusive)
    let twice = Shift(sessions: base, base.map { $0.map { $0 * 2 } }, tail: 0.005, spread: .assumed(0.26), seed: 1)
    #expect(Verdict(twice, Self.thresholds) == .regressed)
  }

  @Test func fewSessionsAreHeldToHowTheCommitsOfTheirHistoryDiffer() {
    let base = [[100.0, 101, 99, 100.5, 100.2, 99.4, 98.9, 100.9].map { $0 * 1e6 }]
    let head = base.map { $0.map { $0 * 1.2 } }
    func shift(deviation: Double) -> Shift {
      let measured = SessionSpread.Measured(deviation: deviation, freedom: 6, commits: 10)
      return Shift(sessions: base, head, tail: 0.005, spread: .measured(measured), seed: 1)
    }
    // Six degrees of freedom: 3.707 deviations.
    let steady = shift(deviation: 0.04)
    #expect(steady.design == .history && Verdict(steady, Self.thresholds) == .regressed)
    #expect(abs((steady.sessionSpread ?? 0) - 0.1599) < 1e-3 && (steady.probability ?? 1) < 0.01)
    let wild = shift(deviation: 0.06)
    #expect(Verdict(wild, Self.thresholds) == .inconclusive(.unknown) && (wild.probability ?? 0) > 0.01)
    // The launches themselves scatter more than their commits.
    let none = shift(deviation: 0)
    #expect(none.probability == 0 && none.lower.relative < 0.2 && none.upper.relative > 0.2)
  }

  @Test func cpuTimeDecidesOnlyWhereWallTimeDoesNotAndAgrees() {
    var random = SeededGenerator(seed: 2)
    func sides(_ ratio: Double, spread: Double) -> (base: [Double], head: [Double]) {
      let base = random.launches(40, level: 10, spread: spread).map { abs($0) * 1e7 }
      let head = random.launches(40, level: 10 * ratio, spread: spread).map { abs($0) * 1e7 }
      return (base, head)
    }
    func shift(_ sides: (base: [Double], head: [Double])) -> Shift {
      Shift(rounds: sides.base, sides.head, tail: 0.005)
    }
    let (wild, slower, equal) = (sides(1.06, spread: 1.5), sides(1.1, spread: 0.1), sides(1, spread: 0.1))
    #expect(Verdict(shift(wild), Self.thresholds).isInconclusive && shift(wild).estimate.relative > 0)
    let decided = LiveDecision(wall: shift(wild), cpu: shift(slower), thresholds: Self.thresholds)
    #expect(decided.verdict == .regressed && decided.decidedBy == .cpu)
    let wall = LiveDecision(wall: shift(equal), cpu: shift(slower), thresholds: Self.thresholds)
    #expect(wall.verdict == .noChange && wall.decidedBy == .total)
    #expect(LiveDecision(wall: shift(wild), cpu: shift(equal), thresholds: Self.thresholds).verdict.isInconclusive)
    // What the program itself took did not grow, neither on its main thread nor elsewhere.
    let calm = LiveDecision(wall: shift(wild), cpu: shift(equal), onCore: shift(equal), thresholds: Self.thresholds)
    #expect(calm.verdict == .noChange && calm.decidedBy == .onCore)
    let grown = LiveDecision(wall: shift(wild), cpu: shift(equal), onCore: shift(slower), thresholds: Self.thresholds)
    #expect(grown.verdict.isInconclusive)
    // Work moved to a thread beside the main thread: this takes CPU time, and the launch is over earlier.
    let faster = sides(0.9, spread: 0.1)
    let moved = LiveDecision(wall: shift(wild), cpu: shift(slower), onCore: shift(faster), thresholds: Self.thresholds)
    #expect(moved.verdict.isInconclusive, "\(moved)")
    let agreed = LiveDecision(wall: shift(wild), cpu: shift(slower), onCore: shift(slower), thresholds: Self.thresholds)
    #expect(agreed.verdict == .regressed && agreed.decidedBy == .cpu, "\(agreed)")
    // Work became waiting: it takes less CPU time, and the launch seems slower.
    let waits = LiveDecision(wall: shift(wild), cpu: shift(faster), thresholds: Self.thresholds)
    #expect(waits.verdict.isInconclusive, "\(waits)")
    // The launch is slower, though not surely by the threshold.
    let risen = shift(sides(1.03, spread: 0.1))
    let hidden = LiveDecision(wall: risen, cpu: shift(equal), onCore: shift(equal), thresholds: Self.thresholds)
    #expect(risen.lower.relative > 0 && hidden.verdict.isInconclusive, "\(hidden)")
  }

  /// Draws from five sessions seldom have the one that is no slower than the base. So in 3 % of comparisons of equal programs, the
  /// interval lacked 0.
  @Test func fiveSessionsAreHeldToTheRankTest() {
    func sessions(_ values: [Double]) -> [[Double]] { values.map { [Double](repeating: $0 * 1e6, count: 3) } }
    let base = sessions([100, 101, 102, 103, 104])
    let head = sessions([103.5, 125, 126, 127, 128])
    let shift = Shift(sessions: base, head, tail: 0.005, spread: .assumed(0.26), seed: 1)
    #expect(shift.design == .sessions && shift.lower.relative < 0 && shift.lower.relative > -0.01)
    #expect(Verdict(shift, Self.thresholds).isInconclusive)
    // Five sessions say nothing with 99.9 %.
    let surer = Shift(sessions: base, head, tail: 0.0005, spread: .assumed(0.26), seed: 1)
    #expect(!surer.isBounded && surer.leastCount == 7)
    let slower = Shift(
      sessions: base, sessions([125, 126, 127, 128, 129]), tail: 0.005, spread: .assumed(0.26), seed: 1)
    #expect(Verdict(slower, Self.thresholds) == .regressed)
  }
}
