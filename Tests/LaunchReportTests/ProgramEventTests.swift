// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// Events, counters and messages in the formats for programs.
struct ProgramEventTests {
  private let millisecond: Int64 = 1_000_000

  private func launch() -> SampleLaunch {
    var launch = SampleLaunch(preinit: 1000)
    let worker = launch.thread(4720, name: "worker")
    launch.interval(
      "read file", from: millisecond, to: 2 * millisecond, [("message", .string("=a.txt")), ("bytes", .uint(7))])
    launch.interval("read file", from: 3 * millisecond, to: 4 * millisecond)
    launch.instant(
      "cache miss", at: 5 * millisecond, category: "app", on: worker, [("message", .string("key=12,\nagain"))])
    launch.instant("cache hit", at: 6 * millisecond, category: "app")
    let other = launch.builder.thread(99, ofProcess: 99, name: "another program")
    launch.instant("of another program", at: 7 * millisecond, category: "app", on: other)
    launch.mark("ready", at: 10 * millisecond)
    launch.instant("too late", at: 11 * millisecond, category: "app")
    launch.counter("rows", unit: "bytes", every: 4 * millisecond, [1, 2.5, .nan, 9])
    return launch
  }

  private var set: LaunchSet { LaunchSet([LaunchTimeline(trace: launch().trace())]) }

  private func table(_ rows: ReportOptions.Rows, mainThreadOnly: Bool = false) throws -> CSVTable {
    var options = ReportOptions()
    (options.rows, options.mainThreadOnly) = (rows, mainThreadOnly)
    return try #require(CSVTable(ReportFormat.csv.string(set, options: options)))
  }

  @Test func csvHasMessagesEventsAndCounters() throws {
    #expect(try table(.spans).header.last == "message")
    let spans = try table(.spans)
    let files = spans.column("name").indices.filter { spans.column("name")[$0] == "read file" }
    #expect(files.map { spans.column("message")[$0] } == ["'=a.txt", ""])
    let events = try table(.events)
    #expect(events.header == ["launch", "name", "category", "thread", "main_thread", "start_ns", "message"])
    #expect(
      events.rows == [
        ["1", "cache miss", "app", "worker (4720)", "false", "5000000", "key=12,\\nagain"],
        ["1", "cache hit", "app", "main thread", "true", "6000000", ""],
      ])
    #expect(try table(.events, mainThreadOnly: true).column("name") == ["cache hit"])
    #expect(
      try table(.counters).rows == [
        ["1", "rows", "bytes", "0", "1"], ["1", "rows", "bytes", "4000000", "2.5"],
        ["1", "rows", "bytes", "8000000", ""],
      ])
  }

  @Test func jsonHasEventsAndCounters() throws {
    let text = ReportFormat.json.string(set)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let launch = try #require((json["launches"] as? [[String: Any]])?.first)
    let events = try #require(launch["events"] as? [[String: Any]])
    #expect(events.map { $0["name"] as? String } == ["cache miss", "cache hit"])
    #expect(events[0]["message"] as? String == "key=12,\nagain" && events[0]["time"] as? Int == 5_000_000)
    #expect(events[0]["thread"] as? String == "worker (4720)" && events[0]["mainThread"] as? Bool == false)
    #expect(events[1]["message"] == nil && launch["eventsLeftOut"] == nil)
    let counters = try #require(launch["counters"] as? [[String: Any]])
    #expect(counters.map { $0["name"] as? String } == ["rows"] && counters[0]["unit"] as? String == "bytes")
    let values = try #require(counters[0]["values"] as? [[String: Any]])
    #expect(values.map { $0["value"] as? Double } == [1, 2.5, nil])
    #expect(values.map { $0["time"] as? Int } == [0, 4_000_000, 8_000_000])
  }
}
