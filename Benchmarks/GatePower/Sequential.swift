// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// A live comparison as `launchprof bench --vs` makes it, replayed on recorded rounds.
struct Sequential {
  static let plan = SequentialPlan.doubling(maximum: 400, tail: 0.005)

  var verdict: Verdict
  var rounds: Int

  init(_ pairs: Pairs) {
    for (look, tail) in zip(Self.plan.looks, Self.plan.tails) {
      let seen = pairs.prefix(look)
      let error = seen.error(tail: tail, isLastLook: look == Self.plan.looks.last)
      let wall = Shift(rounds: seen.baseWall, seen.headWall, tail: error.wall)
      let cpu = Shift(rounds: seen.baseCPU, seen.headCPU, tail: error.cpu)
      let core = seen.baseCore.isEmpty ? nil : Shift(rounds: seen.baseCore, seen.headCore, tail: error.cpu)
      let decision = LiveDecision(wall: wall, cpu: cpu, onCore: core, thresholds: .standard(total: wall.base))
      if !decision.verdict.isInconclusive {
        (verdict, rounds) = (decision.verdict, look)
        return
      }
    }
    (verdict, rounds) = (.inconclusive(.unknown), Self.plan.looks.last ?? 0)
  }
}

/// Launches of three phases, each of them a recorded program, of which one gets slower: is it the one that is named?
struct Guilt {
  let isRegressed: Bool
  /// The slower phase is the first one that is named.
  let isNamed: Bool
  /// Another one is named.
  let isWrong: Bool

  static let phases = ["configuration", "database", "index"]

  init(_ short: Rounds, _ long: Rounds, starts: [Int], rounds: Int) {
    let parts = [
      short.pairs("A", "A", from: starts[0], count: rounds), long.pairs("A", "B10", from: starts[1], count: rounds),
      short.pairs("A", "A", from: starts[2], count: rounds),
    ]
    // The same launches on both sides would have no noise: those of the head are other ones.
    let others = [starts[0], starts[2]].map { short.pairs("A", "A", from: $0 + 1, count: rounds) }
    func side(_ name: String, _ values: [[Double]]) -> [Measurement] {
      (0..<rounds).map { round in
        var provenance = Provenance(round: round + 1)
        (provenance.session, provenance.side) = ("replay", name)
        var metrics: [Metric: Double] = [.total: values.reduce(0) { $0 + $1[round] }]
        for (phase, times) in zip(Self.phases, values) { metrics[Metric(.phase, [phase])] = times[round] }
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "ready", values: metrics, flame: [:],
          isCPUOfLaunch: false)
      }
    }
    let comparison = LaunchComparison(
      base: side("base", parts.map(\.baseWall)),
      head: side("head", [others[0].baseWall, parts[1].headWall, others[1].baseWall]))
    isRegressed = comparison.outcome == .decided(.regressed)
    let guilty = comparison.guilty.map(\.metric.name)
    isNamed = guilty.first == "database"
    isWrong = guilty.contains { $0 != "database" }
  }
}
