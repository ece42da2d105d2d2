// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchFleet
@testable import LaunchReport

/// What programs read: CSV and JSON.
extension FleetDocumentTests {
  @Test func csvHasARowForEachGroupAndMetric() throws {
    let rows = try Self.document(by: ["version"]).string(.csv).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 1 + 2 * 6)
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    #expect(rows[0].prefix(4) == ["version", "metric", "records", "launches"] && rows[0].last == "unit")
    let place = try #require(rows[0].firstIndex(of: "p50"))
    let total = try #require(rows.first { $0[1] == "total" })
    #expect(try #require(Int(total[place + 1])) < #require(Int(total[place])))
  }

  /// An interval has no value, and a limit no bounds.
  @Test func csvHasNoEmptyColumns() throws {
    let table = FleetComparisonTests.standardTable
    let options = try FleetComparisonTests.versions()
    let budget = QuantileBudget(metric: "total", fraction: 0.5, limit: 1e9)
    var gate = FleetGate(table, head: options.head, budgets: [budget], failed: 0.5, tail: 0.005)
    gate.comparison = try FleetComparison(table, options)
    let lines = FleetDocument(gate).string(.csv).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.contains("share,measured,measured_lower,measured_upper,limit,verdict"))
    #expect(lines.contains("metric,base,head,raw,mix,change,interval_lower,interval_upper,adjusted_p,verdict"))
    // Tables are rectangular.
    for table in lines.split(separator: "") { #expect(Set(table.map { $0.count { $0 == "," } }).count == 1) }
  }

  /// A script reads columns by their names: they do not depend on what the launches have.
  @Test(arguments: [[], ["budget"], ["failed"], ["budget", "failed"]]) func columnsAreAlwaysTheSame(has: [String])
    throws
  {
    let records = (1...20).map { id in
      var record = RecordText(id: id, total: has.contains("failed") ? nil : 400_000_000)
      if has.contains("budget") { record.set("budget", "500000000") }
      return record.line
    }
    let table = FleetReader.table(records, FleetQuestion(labels: .named(["version"])))
    let document = FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005))
    let rows = document.string(.csv).split(separator: "\r\n")
    let quantiles = ["p50", "p75", "p90", "p95", "p99"]
    let estimates = (["failed", "within"] + quantiles).flatMap { [$0, $0 + "_lower", $0 + "_upper"] }
    #expect(rows[0] == (["version", "metric", "records", "launches"] + estimates + ["unit"]).joined(separator: ","))
    // A version that never launches has a row, too.
    #expect(rows.count == 2 && rows[1].hasPrefix("2.0,total,\(has.contains("failed") ? 0 : 20),20,"), "\(rows)")
    #expect(
      document.string(.json).contains("\"failed\": {\n        \"estimate\": \(has.contains("failed") ? "1.0" : "0.0")"))
  }

  /// Also where there is nothing to compare.
  @Test(arguments: ["2.1", "9"]) func tablesAreAlwaysTheSame(head: String) throws {
    let records = (1...80).map { RecordText(id: $0, version: $0 % 2 == 0 ? "2.0" : "2.1").line }
    let options = FleetComparisonOptions(
      base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=\(head)"]))
    let table = FleetReader.table(records, FleetQuestion(labels: .all))
    let document = FleetDocument(try FleetComparison(table, options))
    let tables = document.string(.csv).split(separator: "\r\n", omittingEmptySubsequences: false).split(separator: "")
    #expect(
      tables.map { $0[$0.startIndex].prefix { $0 != "," } } == [
        "metric", "column", "metric", "column", "base", "quantile",
      ])
    let read = try JSONSerialization.jsonObject(with: Data(document.string(.json).utf8)) as? [String: Any]
    #expect(read?["quantile"] as? String == "p50" && read?["confidence"] as? Double == 0.99)
    #expect(read?["base"] as? String == "version=2.0" && read?["headRecords"] as? Int == (head == "9" ? 0 : 40))
  }

  @Test func aComparisonSaysHowManyFailForPrograms() throws {
    let records = (1...4000).map { id in
      let isHead = id % 2 == 1
      return RecordText(id: id, version: isHead ? "2.1" : "2.0", total: isHead && id % 5 == 0 ? nil : 400_000_000 + id)
        .line
    }
    let table = FleetReader.table(records, FleetQuestion(labels: .all))
    let document = FleetDocument(try FleetComparison(table, try FleetComparisonTests.versions()))
    let read = try JSONSerialization.jsonObject(with: Data(document.string(.json).utf8)) as? [String: Any]
    let failures = try #require((read?["failures"] as? [[String: Any]])?.first)
    #expect(failures["verdict"] as? String == "regressed" && document.status == "regressed")
    #expect(((failures["head"] as? [String: Any])?["estimate"] as? Double).map { abs($0 - 0.2) < 1e-9 } == true)
  }

  @Test func jsonIsRead() throws {
    let table = FleetComparisonTests.standardTable
    let document = FleetDocument(try FleetComparison(table, try FleetComparisonTests.versions()))
    let read = try JSONSerialization.jsonObject(with: Data(document.string(.json).utf8)) as? [String: Any]
    #expect(read?["schemaVersion"] as? Int == 1 && read?["status"] is String)
    let metrics = try #require(read?["metrics"] as? [[String: Any]])
    #expect(metrics.count == 6 && metrics[0]["metric"] as? String == "total")
    #expect((metrics[0]["interval"] as? [String: Any])?["lower"] is Double)
    let mix = try #require(read?["mix"] as? [[String: Any]])
    #expect(mix.contains { $0["column"] as? String == "machine" })
    #expect(document.string(.json).contains(#/"held": ?(true|false)/#))
  }
}
