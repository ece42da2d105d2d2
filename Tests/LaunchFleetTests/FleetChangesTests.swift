// SPDX-License-Identifier: Apache-2.0

import FleetSupport
import LaunchAnalysis
import Testing

@testable import LaunchFleet

struct FleetChangesTests {
  private func changes(_ fleet: SyntheticFleet) throws -> FleetChanges {
    let question = FleetQuestion(labels: .named(["day", "machine", "kind", "reason", "context", "os"]))
    return try FleetChanges(FleetReader.table(fleet.lines().lines, question), by: .day)
  }

  @Test func theDayOfAChangeIsFound() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.days, fleet.changeDay, fleet.dayFactor) = (3000, 12, 7, 1.15)
    let found = try changes(fleet)
    #expect(found.points.map(\.name).first == "2026-11-01" && found.points.count == 12)
    let change = try #require(found.changes.first)
    #expect(found.changes.count == 1 && found.points[change.place].name == "2026-11-08")
    #expect((0.1...0.2).contains(change.relative))
  }

  @Test func nothingChangesWhereOnlyMachinesDo() throws {
    // Every day has slower machines than the one before; no machine gets slower.
    var lines: [String] = []
    var random = SeededRandom(seed: 9)
    for id in 1...4000 {
      let day = random.next(below: 10)
      let isSlow = random.next(below: 10) < day
      let total = (isSlow ? 900 : 300) * 1_000_000 + random.next(below: 100_000_000)
      lines.append(
        RecordText(id: id, total: total).with("machine", isSlow ? "\"slow\"" : "\"fast\"")
          .with("time", "\"2026-11-1\(day)T10:00:00Z\"").line)
    }
    let question = FleetQuestion(labels: .named(["day", "machine"]))
    let found = try FleetChanges(FleetReader.table(lines, question), by: .day)
    #expect(found.changes.isEmpty && found.points.count == 10 && found.mix == ["machine"])
    #expect(found.points[9].quantile.estimate > 2 * found.points[0].quantile.estimate)
    let raw = try FleetChanges(FleetReader.table(lines, question), by: .day, mix: [])
    #expect(!raw.changes.isEmpty)
  }

  @Test func whatNoRecordHasIsSaid() throws {
    let table = FleetReader.table([RecordText(id: 1).line], FleetQuestion(labels: .named(["version"])))
    #expect(throws: FleetError.self) { try FleetChanges(table, by: .day) }
    #expect(throws: FleetError.self) { try FleetChanges(table, by: .version, metric: "phase/none") }
    let lines = (1...40).map { RecordText(id: $0, version: $0 <= 35 ? "1" : "2", total: 1_000_000 + $0).line }
    let thin = try FleetChanges(FleetReader.table(lines, FleetQuestion(labels: .named(["version"]))), by: .version)
    #expect(thin.thin == 1 && thin.points.map(\.name) == ["1"] && thin.changes.isEmpty)
  }
}
