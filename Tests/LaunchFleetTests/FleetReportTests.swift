// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet

struct FleetReportTests {
  @Test func quantilesAreThoseOfTheGateAndHaveItsIntervals() throws {
    var random = SeededRandom(seed: 3)
    let totals = (0..<501).map { _ in 1_000_000 + random.next(below: 1_000_000) }
    let table = FleetReader.table(totals.enumerated().map { RecordText(id: $0 + 1, total: $1).line })
    let report = try FleetReport(table, by: [], tail: 0.005)
    let total = try #require(report.groups.first?.total)
    #expect(total.quantiles.count == FleetReport.fractions.count)
    for (fraction, quantile) in zip(FleetReport.fractions, total.quantiles) {
      let expected = QuantileInterval(totals.map { Double($0) }, fraction: fraction, tail: 0.005)
      #expect(abs(quantile.estimate - expected.estimate) < 1)
      #expect(quantile.lower == expected.lower && quantile.upper == expected.upper)
    }
  }

  @Test func groupsHaveTheirOwnLaunchesFailuresAndBudgets() throws {
    var lines: [String] = []
    for id in 1...60 {
      let record = RecordText(id: id, version: id % 3 == 0 ? "2.10" : "2.9", total: id % 10 == 0 ? nil : id * 1_000_000)
      lines.append(record.with("withinBudget", id <= 30 ? "true" : "false").line)
    }
    let question = FleetQuestion(labels: .named(["version"]))
    let report = try FleetReport(FleetReader.table(lines, question), by: ["version"], tail: 0.005)
    #expect(report.groups.map(\.values) == [["2.9"], ["2.10"]])
    #expect(report.groups.map(\.launches) == [40, 20])
    #expect(report.groups.map { $0.total?.count } == [36, 18])
    #expect(report.groups.map(\.failed?.estimate) == [0.1, 0.1])
    #expect(report.groups.map { $0.within?.estimate } == [0.5, 0.5])
    let within = try #require(report.groups[0].within)
    #expect(within.lower < 0.35 && within.upper > 0.65 && within.lower > 0.25)
  }

  @Test func weightsStandForLaunches() throws {
    // Equal weights change nothing; a record of weight 9 is nine launches, and one observation.
    let equal = FleetReader.table((1...21).map { RecordText(id: $0, total: $0 * 1000).with("sample", "5").line })
    #expect(try FleetReport(equal, by: [], tail: 0.005).groups[0].total?.quantiles[1].estimate == 16_000)
    let mixed = FleetReader.table([
      RecordText(id: 1, total: 1000).with("sample", "9").line, RecordText(id: 2, total: 2000).line,
      RecordText(id: 3, total: 3000).line,
    ])
    let group = try FleetReport(mixed, by: [], tail: 0.005).groups[0]
    #expect(group.launches == 11)
    #expect(group.total?.launches == 11 && group.total?.count == 3)
    #expect((group.total?.quantiles[0].estimate ?? 0) < 2000)
    #expect(try #require(group.failed).count < 1.5)
  }

  @Test func questionsLeaveOut() throws {
    let lines = (1...40).map {
      RecordText(id: $0, version: "v\($0 % 4)").with("kind", $0 < 20 ? "\"cold\"" : "\"warm\"").line
    }
    var question = FleetQuestion(labels: .named(["version"]))
    question.filter = try FleetFilter(["version=v1,version=v2,kind=cold"])
    let table = FleetReader.table(lines, question)
    #expect(table.count == 10 && table.census.filtered == 30)
    #expect(try FleetFilter(["cpu=Intel, Core,kind=cold"]).entries.first?.values == ["Intel, Core"])
    #expect(throws: FleetError.self) { try FleetFilter(["version"]) }
    #expect(throws: FleetError.self) { try FleetReport(table, by: ["machine"], tail: 0.005) }
  }

  /// Records that went through a table have an empty value in the place of no key.
  @Test func anEmptyValueIsNotKnown() throws {
    let lines = (1...400).map { id in
      id % 2 == 0 ? RecordText(id: id, version: "2.1").line : RecordText(id: id).with("kind", "\"\"").line
    }
    let table = FleetReader.table(
      lines + [RecordText(id: 500).with("kind", "\"cold\"").line], FleetQuestion(labels: .all))
    let report = try FleetReport(table, by: ["kind"], tail: 0.005)
    #expect(report.groups.map(\.values) == [[""], ["cold"]] && report.groups.map(\.launches) == [400, 1])
    let comparison = try FleetComparison(table, try FleetComparisonTests.versions())
    #expect(comparison.mix.unheld.isEmpty && comparison.status == .passed)
  }
}
