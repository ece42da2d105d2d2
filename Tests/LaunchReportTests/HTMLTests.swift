import Foundation
import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// The page's data. What the page shows of them, scripts/check-page tests in a browser.
struct HTMLTests {
  /// The elements of data of a page, by id.
  private static func parts(_ page: String) throws -> [String: [String: Any]] {
    var parts: [String: [String: Any]] = [:]
    for piece in page.components(separatedBy: "<script type=\"application/json\" id=\"").dropFirst() {
      let id = String(piece.prefix { $0 != "\"" })
      let text = try #require(piece.components(separatedBy: "</script>").first?.dropFirst(id.count + 2))
      // The text of an element has nothing that could end it or change it.
      #expect(!text.contains("<"), "\(id)")
      parts[id] = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    return parts
  }

  private static func page(_ launches: [SampleLaunch]) -> LaunchSet {
    LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
  }

  private static func numbers(_ value: Any?) -> [Int] {
    (value as? [Any] ?? []).compactMap { ($0 as? NSNumber)?.intValue }
  }

  @Test func factsAreThoseOfTheJSONReport() throws {
    let launches = Self.page([.held()])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(ReportFormat.json.string(launches).utf8)) as? [String: Any])
    var expected = try #require((report["launches"] as? [[String: Any]])?.first)
    for key in ["flame", "samples", "samplesUnit", "spansAfterLaunch"] { expected[key] = nil }
    let launch = try #require(try Self.parts(ReportFormat.html.string(launches))["launch-1"])
    #expect(NSDictionary(dictionary: expected) == (launch["facts"] as? NSDictionary))
  }

  @Test func treesAreThoseOfTheJSONReport() throws {
    let launches = Self.page([.sampled()])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(ReportFormat.json.string(launches).utf8)) as? [String: Any])
    let expected = try #require((report["launches"] as? [[String: Any]])?.first)
    let launch = try #require(try Self.parts(ReportFormat.html.string(launches))["launch-1"])
    let flames = try #require(launch["flames"] as? [String: Any])
    let strings = try #require(launch["strings"] as? [String])
    for (key, column) in [("flame", "spans"), ("samples", "samples")] {
      let rows = try #require(expected[key] as? [[String: Any]])
      let columns = try #require(flames[column] as? [String: Any])
      #expect(rows.map { $0["name"] as? String } == Self.numbers(columns["name"]).map { strings[$0] })
      for number in ["total", "self", "start", "calls"] {
        #expect(rows.map { ($0[number] as? NSNumber)?.intValue } == Self.numbers(columns[number]), "\(key) \(number)")
      }
    }
  }

  @Test func namesAreInert() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let page = ReportFormat.html.string(LaunchSet([HostileNames.launch(&random)]))
      let parts = try Self.parts(page)
      #expect(parts.count == 2)
      #expect(page.components(separatedBy: "<script").count == 4)
      #expect(!page.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || $0 == "\u{202E}" || $0 == "\u{2028}") })
    }
  }

  @Test func theNetworkIsForbidden() {
    let page = ReportFormat.html.string(Self.page([.server()]))
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
    #expect(!page.contains("unsafe-inline") && !page.contains("unsafe-eval"))
    // The name space of SVG is a name, not a place.
    let addresses = page.components(separatedBy: "://").count - 1
    #expect(addresses == page.components(separatedBy: "http://www.w3.org/2000/svg").count - 1)
  }

  /// 300 intervals and 300 samples.
  @Test func aLaunchIsSmall() {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000)
    launch.mark("main", at: 2000)
    for number in 0..<300 {
      let start = 10_000 + Int64(number) * 1_000_000
      launch.interval("interval \(number) of the launch", from: start, to: start + 900_000)
      let frames = (0..<12).map { depth in
        SampleLaunch.Frame(stringLiteral: "app.Module\(depth).function\(depth * (number % 7))() throws -> Swift.String")
      }
      launch.samples(frames, from: start, to: start + 1_000_000)
    }
    launch.mark("ready", at: 310_000_000)
    let page = ReportFormat.html.string(Self.page([launch]))
    #expect(page.utf8.count <= 250_000, "\(page.utf8.count)")
  }

  /// Of a large trace the short intervals are in blocks: none is lost, and the page stays small.
  @Test func aLargeTraceIsSummedUp() throws {
    let count = 150_000
    var launch = SampleLaunch()
    launch.interval("all", from: 0, to: Int64(count) * 1000)
    for number in 1..<count {
      let start = Int64(number) * 1000
      launch.interval("work \(number % 50)", from: start, to: start + 100 + Int64(number % 900))
    }
    let page = ReportFormat.html.string(Self.page([launch]))
    #expect(page.utf8.count < 6_000_000, "\(page.utf8.count)")
    let data = try #require(try Self.parts(page)["launch-1"])
    let slices = try #require(data["slices"] as? [String: Any])
    let blocks = try #require(data["blocks"] as? [String: Any])
    let kept = Self.numbers(slices["duration"])
    #expect(kept.count <= 60_000 && kept.count > 10_000)
    #expect(kept.count + Self.numbers(blocks["count"]).reduce(0, +) == count)
    let busy = (1..<count).reduce(0) { $0 + 100 + $1 % 900 } + count * 1000
    #expect(kept.reduce(0, +) + Self.numbers(blocks["busy"]).reduce(0, +) == busy)
  }

  @Test func launchesBeyondTheSizeAreInTheOverviewOnly() throws {
    let page = ReportFormat.html.string(Self.page((1...12).map { .server(run: $0, runs: 12) }))
    let parts = try Self.parts(page)
    #expect(parts.count == 13)
    let rows = try #require(parts["page-data"]?["launches"] as? [[String: Any]])
    #expect(rows.count == 12 && rows.allSatisfy { $0["data"] != nil })
    #expect(parts["page-data"]?["summary"] != nil)
  }

  /// Writes pages for scripts/check-page, each with the JSON report beside it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LAUNCHPROF_PAGES"] != nil))
  func pagesForTheBrowser() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["LAUNCHPROF_PAGES"])
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    var random = SeededGenerator(seed: 3)
    let sets: [(String, LaunchSet)] = [
      ("held", Self.page([.held()])), ("sampled", Self.page([.sampled()])), ("server", Self.page([.server()])),
      ("interface", Self.page([.interface()])), ("crash", Self.page([.crash()])),
      ("series", Self.page((1...12).map { .server(scale: 950 + Int64($0 * $0), run: $0, runs: 13) } + [.crash()])),
      ("hostile", LaunchSet([HostileNames.launch(&random)])), ("attack", Self.page([Self.attack])),
    ]
    for (name, launches) in sets {
      try write(ReportFormat.html.string(launches), "\(name).html")
      try write(ReportFormat.json.string(launches), "\(name).json")
    }
    let history = MemorySink()
    try Self.history.write(to: history)
    try write(String(decoding: history.bytes, as: UTF8.self), "history.html")
    for (name, result, _) in ComparisonReportTests.results {
      try write(ComparisonFormat.html.string(result), "compare-\(name).html")
      try write(ComparisonFormat.json.string(result), "compare-\(name).json")
    }
  }

  /// Twenty commits of five launches; from the twelfth on they take longer.
  private static var history: HistoryPage {
    var launches = ComparedLaunches(seed: 9)
    var rows: [HistoryRow] = []
    for commit in 0..<20 {
      let made = launches.session("s\(commit)", 5) { if commit >= 12 { $0.migration += 12_000 } }
      for measurement in Measurement.all(LaunchSet(samples: made)) {
        rows.append(
          HistoryRow(
            id: Int64(rows.count), added: 1_700_000_000 + Int64(commit) * 3600,
            key: HistoryKey(program: "app", machine: "builder", configuration: "release"),
            commit: String(repeating: String(UnicodeScalar(UInt8(97 + commit))), count: 12), measurement: measurement))
      }
    }
    let series = HistorySeries(.total, of: rows)
    return HistoryPage(
      series, changes: series.changes(least: 0.03), baselines: [("main", series.points[3].commit)])
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
