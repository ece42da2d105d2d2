// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// The pages that scripts/check-page opens in a browser.
struct BrowserPageTests {
  /// Writes pages for scripts/check-page, each with the JSON report beside it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LAUNCHPROF_PAGES"] != nil))
  func pagesForTheBrowser() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["LAUNCHPROF_PAGES"])
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    var random = SeededGenerator(seed: 3)
    let sets: [(String, LaunchSet)] = [
      ("held", HTMLTests.page([.held()])), ("sampled", HTMLTests.page([.sampled()])),
      ("server", HTMLTests.page([.server()])), ("crowd", HTMLTests.page([.crowd(threads: 40)])),
      ("interface", HTMLTests.page([.interface()])), ("crash", HTMLTests.page([.crash()])),
      ("series", HTMLTests.page((1...12).map { .server(scale: 950 + Int64($0 * $0), run: $0, runs: 13) } + [.crash()])),
      ("counters", HTMLTests.page([Self.counting])), ("folded", try CountedProfileTests.launches()),
      ("instant", LaunchSet([LaunchTimeline(trace: try Self.instant())], names: ["traces/instant.json"])),
      ("foreign", LaunchSet([LaunchTimeline(trace: try Self.foreign())], names: ["traces/foreign.json"])),
      ("hostile", LaunchSet([HostileNames.launch(&random)])), ("attack", HTMLTests.page([Self.attack])),
    ]
    for (name, launches) in sets {
      try write(ReportFormat.html.string(launches), "\(name).html")
      try write(ReportFormat.json.string(launches), "\(name).json")
    }
    let history = MemorySink()
    try Self.history.write(to: history)
    try write(String(decoding: history.bytes, as: UTF8.self), "history.html")
    let results =
      SampleResults.all.map { ($0.name, $0.result) } + [
        ("few", SampleResults.few), ("counted", SampleResults.counted), ("gone", SampleResults.gone),
      ]
    for (name, result) in results {
      try write(ComparisonFormat.html.string(result), "compare-\(name).html")
      try write(ComparisonFormat.json.string(result), "compare-\(name).json")
    }
  }

  /// Twenty commits of five launches; from the twelfth on they take longer.
  static var history: HistoryPage {
    var launches = ComparedLaunches(seed: 9)
    var rows: [HistoryRow] = []
    for commit in 0..<20 {
      let made = launches.session("s\(commit)", 5) { if commit >= 12 { $0.migration += 12_000 } }
      for measurement in Measurement.all(LaunchSet(samples: made)) {
        rows.append(
          HistoryRow(
            id: Int64(rows.count), added: 1_700_000_000 + Int64(commit) * 3600,
            key: HistoryKey(program: "app", machine: "builder", configuration: "release"),
            // One is as long as an id of git.
            commit: String(repeating: String(UnicodeScalar(UInt8(97 + commit))), count: commit == 3 ? 40 : 12),
            measurement: measurement))
      }
    }
    let series = HistorySeries(.total, of: rows)
    let budgets = BudgetCheck.latest(
      [
        QuantileBudget(metric: "total", fraction: 0.95, limit: 80e6),
        QuantileBudget(metric: "cpu", fraction: 0.5, limit: 1),
      ],
      BudgetRules([BudgetRule(.milestone, "ready", 56_000_000), BudgetRule(.phase, "*", 1)]), in: series, of: rows,
      tail: 0.005)
    return HistoryPage(
      series, changes: series.changes(least: 0.03), baselines: [("main", series.points[3].commit)], budgets: budgets)
  }

  /// A trace of another tool that lasts 0 ns.
  private static func instant() throws -> Trace {
    let event = #"[{"ph":"i","s":"t","pid":1,"tid":1,"ts":5,"name":"found"}]"#
    return try Array(event.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  /// A trace of another tool, whose names are as people write them.
  private static func foreign() throws -> Trace {
    let names = ["تحميل الإعدادات", "データベース接続を開く", String(repeating: "a🎉", count: 300), "short"]
    let events = names.enumerated().map { place, name in
      #"{"ph":"X","pid":1,"tid":\#(1 + place / 3),"ts":\#(place * 1000),"dur":\#(900 - place * 200),"name":"\#(name)"}"#
    }
    return try Array("[\(events.joined(separator: ","))]".utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  private static var counting: SampleLaunch {
    var launch = SampleLaunch.server()
    launch.counter("queued requests", every: 2_500_000, (0..<40).map { Double($0 * 7 % 12) })
    launch.counter("heap", unit: "bytes", every: 300_000, (0..<300).map { Double(1_048_576 + $0 * $0 * 90) })
    launch.counter("temperature", unit: "°C", every: 20_000_000, [41.5, -3.25, 55])
    return launch
  }

  /// Names that try to be markup, to run, to hide, and to be long.
  private static var attack: SampleLaunch {
    var launch = SampleLaunch(program: "<img src=x onerror=alert(1)>")
    launch.recorder(preinit: 1000)
    launch.mark("main", at: 2000)
    let names = [
      "</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>", "<!--<script>", "\u{202E}gnp.exe",
      "a\u{0}b",
      String(repeating: "long ", count: 20_000), "\u{2028}line", "javascript:alert(3)", "=cmd()", "__proto__",
      "constructor",
    ]
    var time: Int64 = 3000
    for name in names {
      launch.interval(
        name, from: time, to: time + 20_000_000, category: name, [("message", .string(name)), (name, .string("x"))])
      launch.phase(name, from: time + 20_000_000, to: time + 30_000_000, cpu: 12)
      launch.samples([.init(name, image: name), .init(name)], from: time, to: time + 10_000_000)
      time += 31_000_000
    }
    launch.mark("</script><img src=x onerror=alert(4)>", at: time)
    launch.metadata([("reason", .string("<svg onload=alert(5)>")), ("__proto__", .string("polluted"))])
    launch.mark("ready", at: time + 1000)
    return launch
  }
}
