// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchHistory

/// Series of launches from a store.
struct HistorySeriesTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.appending("deep/history.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  /// Each call knew only its own launches.
  @Test func aSeriesHasOnePopulation() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    func add(_ kind: String?, _ counts: [Int], _ commit: String, _ configuration: String = "release") throws {
      var launches = ComparedLaunches(seed: 7)
      let samples = zip([kind, "first"], counts).flatMap { kind, count in
        launches.session(commit, count) { plan in
          if let kind { plan.launcher.append(("kind", .string(kind))) }
        }
      }
      let key = HistoryKey(program: "notes", machine: "m", configuration: configuration)
      let rows = Measurement.all(LaunchSet(samples: samples))
      let named = rows.enumerated().map { ($0.element, "\(kind ?? "") \(commit) \(configuration) \($0.offset)") }
      _ = try store.add(named, key: { _ in key }, commit: commit, now: 7)
    }
    // There are more cold ones than first ones.
    try add("page-cache cold", [3, 2], "a")
    try add("page-cache cold", [3], "b")
    try add("page-cache cold", [4], "b", "cold")
    func leftOut() throws -> [LaunchSet.LeftOut?] { try store.launches().map(\.measurement.leftOut) }
    #expect(try leftOut() == [nil, nil, nil, .firstLaunch, .firstLaunch, nil, nil, nil, nil, nil, nil, nil])
    try add(nil, [2], "b")
    let rows = try store.launches().filter { $0.key.configuration == "release" }
    let series = HistorySeries(.total, of: rows)
    #expect(series.points.map(\.commit) == ["b"] && series.points[0].launches == 2)
    let counts = LaunchSet.LeftOut.counts(rows.map(\.measurement.leftOut))
    #expect(counts.map(\.reason) == [.firstLaunch, .cold] && counts.map(\.count) == [2, 6])
    // Alone, the launches of a commit are a set of their own.
    #expect(try store.launches(HistoryFilter(commit: "a")).count { $0.measurement.leftOut == nil } == 3)
  }

  @Test func aSeriesShowsWhereItChanged() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    for commit in 0..<16 {
      var launches = ComparedLaunches(seed: UInt64(commit + 40))
      let samples = launches.session("s\(commit)", 3) { plan in if commit >= 9 { plan.database += 6_000 } }
      _ = try store.add(Measurement.all(LaunchSet(samples: samples)), commit: "c\(commit)")
    }
    let series = HistorySeries(.total, of: try store.launches())
    #expect(series.points.count == 16 && series.points.allSatisfy { $0.launches == 3 })
    let changes = series.changes(least: 0.02)
    #expect(changes.map { series.points[$0.place].commit } == ["c9"])
    #expect(changes.first?.isCertain == true)
    #expect(changes.first.map { abs($0.relative - 0.115) < 0.03 } == true)
    #expect(series.changes(least: 0.5).isEmpty)
    #expect(HistorySeries(Metric(.phase, ["none"]), of: try store.launches()).points.isEmpty)
  }

  /// The first step may be anywhere on a ramp, where further steps are found then: it ends after the next one begins.
  @Test func stepsWhosePlacesOverlapAreChangesToo() {
    let times = [
      10.143, 10.667, 10.636, 10.128, 10.295, 10.258, 10.491, 10.123, 10.019, 11.945, 12.709, 12.013, 13.421, 13.121,
      13.521, 13.222, 13.293, 13.557, 13.387, 13.318, 13.085, 13.486, 13.181, 13.545, 17.15, 16.414, 16.392, 16.327,
      16.193, 16.233, 16.999, 16.293, 16.089, 16.464, 16.311, 16.216, 16.757, 16.651, 16.276, 21.484, 22.013, 22.124,
      21.682, 21.697, 21.702, 21.729, 22.443, 21.646, 21.998, 21.5, 22.396, 21.253, 21.91, 22.03, 21.641, 22.435,
      22.148, 21.781, 21.784, 21.534, 22.414, 22.174, 21.557, 22.449, 21.519, 22.083, 22.268, 21.495, 22.688, 21.461,
      22.164, 22.363, 21.878, 22.278, 22.015,
    ]
    let rows = times.enumerated().map { place, time in
      HistoryRow(
        id: Int64(place), added: Int64(place), key: HistoryKey(program: "p", machine: "m", configuration: "c"),
        commit: "commit \(place / 3)",
        measurement: LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: Provenance(round: place + 1), endMilestone: "exit",
          values: [.total: time * 1e6], flame: [:], isCPUOfLaunch: true))
    }
    let changes = HistorySeries(.total, of: rows).changes(least: 0)
    #expect(
      zip(changes, changes.dropFirst()).contains { $0.places.upperBound > $1.place || $1.places.lowerBound < $0.place },
      "\(changes.map(\.places))")
  }
}
