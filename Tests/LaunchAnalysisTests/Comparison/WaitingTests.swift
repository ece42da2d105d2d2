// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// Launches of a machine that other programs make busy.
struct WaitingTests {
  private static func launch(_ round: Int, _ values: [Metric: Double], session: String = "", build: String = "")
    -> Measurement
  {
    var provenance = Provenance(round: round)
    (provenance.session, provenance.arguments) = (session, [])
    provenance.image = ImageDescription(
      libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: build)
    return Measurement(
      name: "\(session) \(round)", leftOut: nil, provenance: provenance, endMilestone: "exit", values: values,
      flame: [:],
      isCPUOfLaunch: true)
  }

  /// Two sessions of four launches "may differ by 0 %": they had no interval at all.
  @Test func launchesWithoutAnIntervalAreToldHowManyMore() {
    func launches(_ session: String, _ count: Int) -> [Measurement] {
      (1...count).map { Self.launch($0, [.total: 5e7 + 1e6 * Double($0)], session: session, build: session) }
    }
    let few = LaunchComparison(base: launches("a", 4), head: launches("b", 4))
    #expect(few.outcome == .decided(.inconclusive(.runs(8))))
    // Of sessions that have one, more launches say no more.
    let enough = LaunchComparison(base: launches("a", 12), head: launches("b", 12))
    #expect(enough.outcome == .decided(.inconclusive(.unknown)))
  }

  /// Twelve commits of twelve launches. From the seventh on, the launches differ by the factors.
  private func changes(of metric: Metric, wall: Double, onCore: Double?, cpu: Double) -> [HistorySeries.Change] {
    var random = SeededGenerator("WaitingTests", seed: 1)
    let rows = (0..<144).map { place in
      let isLater = place >= 72
      let noise = Double.random(in: 0.99...1.01, using: &random)
      var values: [Metric: Double] = [.cpu: 2e7 * noise * (isLater ? cpu : 1)]
      if let onCore { values[.onCore] = 2.2e7 * noise * (isLater ? onCore : 1) }
      values[.total] = 3e7 * noise * (isLater ? wall : 1)
      values[Metric(.phase, ["main"])] = 2.8e7 * noise * (isLater ? wall : 1)
      return HistoryRow(
        id: Int64(place), added: Int64(place / 12),
        key: HistoryKey(program: "p", machine: "m", configuration: "c"), commit: "commit-\(place / 12)",
        measurement: Self.launch(place, values))
    }
    return HistorySeries(metric, of: rows).changes(least: 0.02)
  }

  /// A steady neighbour scatters nothing, so its minutes looked like a commit that made launches four times as slow.
  @Test(arguments: [Metric.total, Metric(.phase, ["main"])]) func aSteadyNeighbourIsNoCommit(metric: Metric) {
    #expect(changes(of: metric, wall: 4, onCore: 1, cpu: 1).isEmpty)
    // More work, a longer wait for something else, or unknown.
    #expect(changes(of: metric, wall: 4, onCore: 4, cpu: 4).count == 1)
    #expect(changes(of: metric, wall: 4, onCore: 4, cpu: 1).count == 1)
    #expect(changes(of: metric, wall: 4, onCore: 1, cpu: 3).count == 1)
    #expect(changes(of: metric, wall: 4, onCore: nil, cpu: 1).count == 1)
  }
}
