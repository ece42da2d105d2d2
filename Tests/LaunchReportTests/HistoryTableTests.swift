// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LaunchAnalysis
@testable import LaunchReport

/// The history for programs: docs/gate.md documents the keys and columns.
struct HistoryTableTests {
  private static let key = HistoryKey(program: "notes", machine: "build-7", configuration: "release")

  private static let rows = (0..<8).map { place in
    HistoryRow(
      id: Int64(place), added: Int64(100 + place), key: key, commit: "commit-\(place)",
      measurement: LaunchAnalysis.Measurement(
        name: "", leftOut: nil, provenance: Provenance(round: place + 1), endMilestone: "exit",
        values: [.total: place < 4 ? 1e7 : 1.25e7], flame: [:], isCPUOfLaunch: true))
  }

  private static let changes: [HistorySeries.Change] = [
    HistorySeries.Change(
      place: 4, places: 3...4, probabilities: [0.25, 0.75], levels: .init(before: 1e7, after: 1.25e7),
      cpu: .init(before: 1000, after: 1500),
      surroundings: [.init(field: .kernel, before: ["6.8.0"], after: ["6.11.0"])])
  ]

  private static func changes(_ format: HistoryFormat) -> String {
    let table = HistoryChangeTable(
      HistorySeries(.total, of: rows), of: key, changes: changes.map { (change: $0, unlaunched: 2) })
    return MemorySink.text { try table.write(as: format, to: $0) }
  }

  @Test func changesHaveARowForEachCommitThatIsPossible() {
    let lines = Self.changes(.csv).components(separatedBy: "\r\n")
    #expect(
      lines[0] == "change,commit,probability,first,from,to,metric,unit,before,after,change_percent,cpu_before,"
        + "cpu_after,cpu_change_percent,unlaunched,differences")
    let rest =
      ",commit-4,commit-3,commit-4,total,ns,10000000,12500000,25.0000,1000,1500,50.0000,2,kernel: 6.8.0 -> 6.11.0"
    #expect(lines.dropFirst() == ["1,commit-3,0.250000" + rest, "1,commit-4,0.750000" + rest, ""])
  }

  @Test func changesHaveTheirKeysInJSON() throws {
    let text = Self.changes(.json)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(
      Set(json.keys) == [
        "schemaVersion", "program", "machine", "configuration", "metric", "unit", "points", "unmeasured", "changes",
      ])
    let points = try #require(json["points"] as? [[String: Any]])
    #expect(points.count == 8 && points.allSatisfy { $0["launches"] as? Int == 1 })
    #expect(points.last?["median"] as? Int == 12_500_000 && points.last?["added"] as? Int == 107)
    let change = try #require((json["changes"] as? [[String: Any]])?.first)
    #expect(change["first"] as? String == "commit-4" && change["from"] as? String == "commit-3")
    #expect(change["change"] as? Double == 0.25 && change["unlaunched"] as? Int == 2)
    let candidates = try #require(change["candidates"] as? [[String: Any]])
    #expect(candidates.map { $0["probability"] as? Double } == [0.25, 0.75])
    #expect((change["cpu"] as? [String: Any])?["after"] as? Int == 1500)
    let differences = try #require(change["differences"] as? [[String: Any]])
    #expect(differences.map { $0["field"] as? String } == ["kernel"])
  }

  @Test func theListHasCommitsOfWhichNoLaunchCounts() throws {
    let point = HistorySeries(.total, of: Self.rows).points[0]
    let list = HistoryList([
      HistoryList.Series(
        Self.key, title: Self.key.title,
        commits: [
          .init("commit-0", point: point, leftOut: [], baselines: ["main", "1;2"]),
          .init("=commit", point: nil, leftOut: [(.background, 3), (.failed, 1)], baselines: []),
        ])
    ])
    let csv = MemorySink.text { try list.write(as: .csv, to: $0) }.components(separatedBy: "\r\n")
    #expect(
      csv == [
        "program,machine,configuration,commit,added,launches,median_ns,p10_ns,p90_ns,left_out,baselines",
        "notes,build-7,release,commit-0,100,1,10000000,10000000,10000000,0,main;1\\u{3B}2",
        "notes,build-7,release,'=commit,,0,,,,4,", "",
      ])
    let text = MemorySink.text { try list.write(as: .json, to: $0) }
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let series = try #require((json["series"] as? [[String: Any]])?.first)
    let commits = try #require(series["commits"] as? [[String: Any]])
    #expect(commits[1]["leftOut"] as? [String: Int] == ["background": 3, "failed": 1])
    #expect(commits[1]["launches"] as? Int == 0 && commits[1]["median"] == nil)
    #expect(commits[0]["baselines"] as? [String] == ["main", "1;2"])
  }
}
