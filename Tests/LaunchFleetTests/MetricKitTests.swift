// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct MetricKitTests {
  @Test(
    arguments: [
      ("1,000 ms", 1000.0), ("1.000 ms", 1000), ("1 530 мс", 1530), ("1,530毫秒", 1530), ("1\u{202F}530 ms", 1530),
      ("0,5 s", 500), (".500 s", 500), ("0.500 s", 500), ("1.5 s", 1500), ("٢٬٠٠٠ ملي ث", 2000), ("1,530 ミリ秒", 1530),
      ("980밀리초", 980),
      ("\u{200F}10 ms", 10), ("1,234,567 ms", 1_234_567), ("12 MB", nil), ("ms", nil), ("", nil), ("1", nil),
    ] as [(String, Double?)])
  func timesAreReadInTheLanguageOfTheDevice(text: String, milliseconds: Double?) {
    #expect(LocalizedTime.nanoseconds(text) == milliseconds.map { $0 * 1e6 })
  }

  private static func payload(_ unit: String = "ms") -> String {
    """
    {
      "appVersion" : "2.1",
      "timeStampEnd" : "2026-11-21 23:59:00 +0000",
      "metaData" : {"appBuildVersion" : "77", "osVersion" : "iPhone OS 19.0", "deviceType" : "iPhone17,3", "platformArchitecture" : "arm64e"},
      "applicationLaunchMetrics" : {
        "histogrammedTimeToFirstDrawKey" : {"histogramNumBuckets" : 2, "histogramValue" : {
          "0" : {"bucketCount" : 50, "bucketStart" : "1,000 \(unit)", "bucketEnd" : "1,010 \(unit)"},
          "1" : {"bucketCount" : 150, "bucketStart" : "2,000 \(unit)", "bucketEnd" : "2,010 \(unit)"}}},
        "histogrammedResumeTime" : {"histogramNumBuckets" : 1, "histogramValue" : {
          "0" : {"bucketCount" : 60, "bucketStart" : "200 ms", "bucketEnd" : "210 ms"}}},
        "histogrammedExtendedLaunch" : {"histogramNumBuckets" : 1, "histogramValue" : {
          "0" : {"bucketCount" : 7, "bucketStart" : "3,000 ms", "bucketEnd" : "3,010 ms"}}}
      }
    }
    """
  }

  private func report(_ table: FleetTable) throws -> FleetReport {
    try FleetReport(table, by: ["version", "kind", "end"], tail: 0.005)
  }

  private let question = FleetQuestion(labels: .named(["version", "kind", "end", "machine"]))

  @Test func histogramsBecomeLaunchesBesideTheRest() throws {
    // On one line, as servers store payloads, together with a record.
    let line = Self.payload().split(separator: "\n").joined(separator: " ")
    let table = FleetReader.table([RecordText(id: 1).line, line], question)
    let groups = try report(table).groups
    #expect(
      groups.map(\.values) == [
        ["2.0", "", "ready"], ["2.1", "cold", "extended-launch"], ["2.1", "cold", "first-frame"],
        ["2.1", "resume", "first-frame"],
      ])
    #expect(groups.map(\.launches) == [1, 7, 200, 60])
    let first = try #require(groups[2].total)
    #expect((2_000_000_000...2_010_000_000).contains(first.quantiles[0].estimate))
    #expect(table.census.fromHistograms == 267 && table.values(of: "machine") == ["iPhone17,3"])
  }

  /// Histograms have only launches that completed, so they say nothing of the share that failed.
  @Test func theShareThatFailedIsThatOfRecords() throws {
    let line = Self.payload().split(separator: "\n").joined(separator: " ")
    let records = (1...100).map { RecordText(id: $0, version: "2.1", total: $0 <= 10 ? nil : 400_000_000).line }
    let (alone, mixed) = (FleetReader.table([line], question), FleetReader.table([line] + records, question))
    #expect(try FleetReport(alone, by: [], tail: 0.005).groups.map { $0.failed == nil && $0.launches == 267 } == [true])
    let group = try #require(try FleetReport(mixed, by: [], tail: 0.005).groups.first)
    let failed = try #require(group.failed)
    #expect(failed.estimate == 0.1 && failed.count == 100 && group.launches == 367)
    let totals = [alone, mixed].map { table in
      (try? FleetDocument(FleetReport(table, by: [], tail: 0.005)))?.sheets[0].columns.contains { $0.id == "failed" }
    }
    #expect(totals == [false, true])
    func gate(_ table: FleetTable) -> FleetGate {
      FleetGate(table, head: FleetFilter(), budgets: [], failed: 0.05, tail: 0.005)
    }
    #expect(gate(mixed).shares.map(\.share.estimate) == [0.1])
    #expect(gate(alone).status == .inconclusive && gate(alone).unknownShares == [.failed])
    #expect(
      FleetDocument(gate(alone)).sentences.map(\.text)
        == ["--failed was not checked, because histograms have only launches that completed."])
    // More of the head's launches are of histograms: like for like, no more launches fail.
    let base = (101...200).map { RecordText(id: $0, version: "2.0", total: $0 <= 110 ? nil : 400_000_000).line }
    let options = FleetComparisonOptions(base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=2.1"]))
    let failures = try #require(
      try FleetComparison(FleetReader.table([line] + records + base, FleetQuestion(labels: .all)), options).failures)
    #expect(failures.base.estimate == 0.1 && failures.head.estimate == 0.1)
  }

  @Test func aFileMayBeOnePayload() throws {
    let directory = try TemporaryFiles()
    let path = try directory.write("payload.json", Array(Self.payload().utf8))
    let table = try FleetReader.read([path], question)
    #expect(try report(table).groups.map(\.launches) == [7, 200, 60] && table.census.garbage == 0)
  }

  @Test func aBraceAloneHidesNoRecords() throws {
    let files = try TemporaryFiles()
    let records = (1...3).map { RecordText(id: $0).line }
    for text in [["{"] + records, records + ["{"] + records, ["{"], ["{", "{", "{"]] {
      var reader = FleetReader(question)
      try reader.read(try files.write("a.jsonl", Array((text.joined(separator: "\n") + "\n").utf8)))
      let table = reader.table
      #expect(table.count == (text.count > 3 ? 3 : 0) && table.census.garbage == text.count { $0 == "{" })
    }
    // A payload that is too long, and a file that is not a payload.
    var long = Array("{\n".utf8)
    for _ in 0..<20 << 10 { long += [UInt8](repeating: 0x20, count: 1023) + [0x0a] }
    let path = try files.write("b.jsonl", long + Array(records[0].utf8))
    #expect(try FleetReader.read([path], question).count == 1)
  }

  @Test func recordsAfterAPayloadOfManyLinesCount() throws {
    let files = try TemporaryFiles()
    let path = try files.write("a.jsonl", Array((Self.payload() + "\n" + RecordText(id: 1).line + "\n").utf8))
    let table = try FleetReader.read([path], question)
    #expect(table.count == 1 && table.census.garbage > 0)
  }

  /// As a record that was cut off.
  @Test func aPayloadThatWasCutOffIsCounted() {
    let line = Self.payload().split(separator: "\n").joined(separator: " ")
    let census = FleetReader.table([String(line.dropLast(3))], question).census
    #expect(census.garbage == 1 && census.fromHistograms == 0)
  }

  @Test func anUnknownUnitLeavesTheHistogramOut() throws {
    let line = Self.payload("fortnights").split(separator: "\n").joined(separator: " ")
    let table = FleetReader.table([line], question)
    #expect(table.census.unreadableHistograms == 1 && table.census.fromHistograms == 67)
  }
}
