// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

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

  static func page(_ launches: [SampleLaunch]) -> LaunchSet {
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
    // The page has them in columns, or does not show them.
    for key in ["events", "counters", "flame", "samples", "samplesUnit", "spansAfterLaunch"] { expected[key] = nil }
    for key in ["waits", "openings"] { #expect(expected.removeValue(forKey: key) != nil, "\(key)") }
    expected["criticalPath"] = nil
    let launch = try #require(try Self.parts(ReportFormat.html.string(launches))["launch-1"])
    #expect(NSDictionary(dictionary: expected) == (launch["facts"] as? NSDictionary))
  }

  /// The page drew the first ones, so that the rest of the launch seemed to have none.
  @Test func ofTooManyEventsSomeOfTheWholeLaunchAreDrawn() throws {
    var launch = SampleLaunch(preinit: 0)
    for place in 0..<25_000 as Range<Int64> { launch.instant("tick", at: place * 1000, category: "app") }
    launch.mark("ready", at: 25_000_000)
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    let times = Self.numbers((data["instants"] as? [String: Any])?["time"])
    #expect(times.count == 20_000 && (times.last ?? 0) > 24_900_000)
    #expect((data["notes"] as? [String])?.contains { $0.hasPrefix("This page does not draw ") } == true)
  }

  /// The flame graph lacked it, because the thread around it is not the main thread.
  @Test func theMainActorsWorkElsewhereIsKept() throws {
    let (launch, _) = SampleLaunch.mainActorElsewhere()
    var options = ReportOptions()
    options.mainThreadOnly = true
    let data = try #require(
      try Self.parts(ReportFormat.html.string(Self.page([launch]), options: options))["launch-1"])
    let strings = try #require(data["strings"] as? [String])
    let spans = try #require((data["flames"] as? [String: Any])?["spans"] as? [String: Any])
    #expect(Self.numbers(spans["name"]).contains { strings[$0] == "scene-connect" })
  }

  /// The page of several programs was titled as launches of the first one.
  @Test func aPageOfSeveralProgramsSaysSo() throws {
    let launches = ["a", "b"].map { program in
      var launch = SampleLaunch(program: program)
      launch.mark("ready", at: 50_000_000)
      launch.launcher(exit: 60_000_000, [("program", .string("/usr/bin/" + program))])
      return launch
    }
    let page = ReportFormat.html.string(Self.page(launches))
    #expect(page.contains("<title>2 launches of 2 programs</title>"))
    let remarks = try #require(try Self.parts(page)["page-data"]?["remarks"] as? [String])
    #expect(remarks.first?.hasPrefix("These are launches of different programs: ") == true, "\(remarks)")
  }

  /// An estimate may be more than all of the base. Then the head of the page was below 0.
  @Test func aPhaseThatIsGoneTakesNoTime() throws {
    let page = try #require(try Self.parts(ComparisonFormat.html.string(SampleResults.gone))["page-data"])
    let phases = try #require(page["phases"] as? [[String: Any]])
    let gone = try #require(phases.first { $0["path"] as? [String] == ["migrate"] })
    #expect(gone["head"] as? Double == 0 && gone["presence"] as? String == "base-only")
  }

  @Test func aPageOfSeveralLaunchesSaysHowTheyFailed() throws {
    let page = try Self.parts(ReportFormat.html.string(Self.page([.held(), .crash(), .held()])))["page-data"]
    #expect(page?["failures"] as? String == "1 launch failed: it was killed by SIGSEGV")
    let launches = try #require(page?["launches"] as? [[String: Any]])
    #expect(launches.map { $0["failure"] as? String } == [nil, "was killed by SIGSEGV", nil])
  }

  /// What the text says of the total's reliability, the page says in the same words.
  @Test func thePageSaysWhatTheTraceLacks() throws {
    var launch = SampleLaunch.crash()
    launch.launcher(
      exit: 61_000_001, outcome: "signalled", signal: 11,
      [("observer", .string("perf")), ("lost_records", .uint(7)), ("ready_rule", .string("listen"))])
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    #expect(data["end"] as? String == "until it failed")
    #expect(data["failure"] as? String == "killed by SIGSEGV")
    let notes = try #require(data["notes"] as? [String])
    #expect(
      notes == [
        "it never listened on a socket",
        "the file has 2 launches, and this is the last one: record each into a file of its own",
        "7 records were lost, so states and stacks have gaps",
      ])
  }

  private static func launch(_ arguments: [String]) -> SampleLaunch {
    var launch = SampleLaunch()
    launch.launcher(exit: 40_000_000, [("arguments", .array(arguments.map { .string($0) }))])
    return launch
  }

  /// Pages of one program have different titles in the tabs of a browser. A shell understands the command.
  @Test func theCommandIsInTheTitle() throws {
    let words = ["-c", "it's <b>\u{202E}", "", "--port=80"]
    let page = ReportFormat.html.string(Self.page([Self.launch(words)]))
    let command = #"notes-server -c 'it'\''s <b>\u{202E}' '' --port=80"#
    #expect(try Self.parts(page)["launch-1"]?["command"] as? String == command)
    #expect(try Self.parts(page)["page-data"]?["title"] as? String == "Launch of notes-server")
    #expect(page.contains("<title>Launch of \(XMLText.escaped(command))</title>"))
    #expect(ReportFormat.text.string(Self.page([Self.launch(words)])).contains("\ncommand: \(command)\n"))
  }

  @Test func aTitleOfSeveralLaunchesHasTheCommandOfAll() {
    func title(_ arguments: [[String]]) -> Substring? {
      ReportFormat.html.string(Self.page(arguments.map(Self.launch))).split(separator: "\n").first {
        $0.hasPrefix("<title>")
      }
    }
    #expect(title([["-a"], ["-a"]])?.hasPrefix("<title>Launches of notes-server -a</title>") == true)
    #expect(title([["-a"], ["-b"]])?.hasPrefix("<title>Launches of notes-server</title>") == true)
    #expect(title([[]])?.hasPrefix("<title>Launch of notes-server</title>") == true)
    let long = title([Array(repeating: "-a", count: 5000)])
    #expect(long?.contains("…</title>") == true && long?.count ?? 0 < 300)
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
    var launch = SampleLaunch(preinit: 1000)
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
    #expect(page.utf8.count <= 260_000, "\(page.utf8.count)")
  }

  /// Each look-up had its stack as one text, so that stacks were half of a page.
  @Test func elementsOfAnnotationsAreWrittenOnce() throws {
    var launch = SampleLaunch(preinit: 1000)
    let long = AnnotationValue.string(String(repeating: "long ", count: 500))
    for (place, last) in ["a", "b"].enumerated() {
      let start = 10_000 + Int64(place) * 10_000
      launch.interval(
        "look up \(last)", from: start, to: start + 5000,
        [("callers", .array([.string("main"), .string(last)])), ("texts", .array([long, long]))])
    }
    launch.mark("ready", at: 1_000_000)
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    let strings = try #require(data["strings"] as? [String])
    let notes = try #require((data["slices"] as? [String: Any])?["notes"] as? [[Any]])
    let arrays = notes.flatMap { $0.compactMap { $0 as? [Any] } }
    let callers = arrays.map { Self.numbers($0).map { strings[$0] } }
    #expect(callers == [["main", "a"], ["main", "b"]])
    #expect(strings.filter { $0.contains("main, ") }.isEmpty)
    // What is too long is one text, which is cut.
    #expect(strings.filter { $0.hasPrefix("long long") }.count == 1)
  }

  /// Boxes of functions began with what all of them have in common.
  @Test func functionsHaveShortNames() throws {
    let function = "closure #1 () throws -> () in static app.Notes.run(app.Options, at: Int) throws -> ()"
    var launch = SampleLaunch(preinit: 1000)
    launch.interval(function + " twice", from: 10_000, to: 20_000)
    launch.samples(
      ["main", SampleLaunch.Frame(stringLiteral: function)], from: 1_000_000, to: 9_000_000)
    launch.mark("ready", at: 10_000_000)
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    let strings = try #require(data["strings"] as? [String])
    let names = try #require(data["shortNames"] as? [String: Any])
    #expect(Self.numbers(names["name"]).map { strings[$0] } == [function])
    #expect(Self.numbers(names["short"]).map { strings[$0] } == ["closure #1 in Notes.run(_:at:)"])
  }

  /// Of a large trace the short intervals are in blocks: none is lost, and the page stays small.
  @Test func aLargeTraceIsSummedUp() throws {
    let count = 75_000
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

  /// The page had their number, and never showed it.
  @Test func intervalsThatAreTooDeepAreNamed() throws {
    var launch = SampleLaunch(preinit: 0)
    for level in 0..<400 as Range<Int64> { launch.interval("f\(level)", from: level, to: 100_000_000 - level) }
    launch.mark("ready", at: 100_000_000)
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    let count = Self.numbers((data["slices"] as? [String: Any])?["start"]).count
    let notes = try #require(data["notes"] as? [String])
    #expect(count < 300 && notes.contains { $0.contains("of the intervals, which are below level 255") }, "\(notes)")
  }

  /// All boxes had the colour of the library `unknown`.
  @Test func codeOfAnUnknownFileHasNoLibrary() throws {
    let page = ReportFormat.html.string(try CountedProfileTests.launches())
    let data = try #require(try Self.parts(page)["launch-1"])
    let samples = try #require((data["flames"] as? [String: Any])?["samples"] as? [String: Any])
    #expect(!Self.numbers(samples["library"]).isEmpty && Self.numbers(samples["library"]).allSatisfy { $0 == 0 })
  }

  @Test func countersKeepTheirExtremes() throws {
    var launch = SampleLaunch.server()
    launch.counter("few", unit: "bytes", every: 2_000_000, [4096, 0.5, -3])
    // What is not a number must not hide the rest of it.
    var many = (0..<10_000).map { $0 % 2 == 0 ? .nan : Double($0 % 10) }
    many[7777] = 500
    launch.counter("many", every: 1000, many)
    let data = try #require(try Self.parts(ReportFormat.html.string(Self.page([launch])))["launch-1"])
    let strings = try #require(data["strings"] as? [String])
    let counters = try #require(data["counters"] as? [[String: Any]])
    #expect(counters.map { strings[Self.numbers([$0["name"] as Any])[0]] } == ["few", "many"])
    #expect(counters.map { strings[Self.numbers([$0["unit"] as Any])[0]] } == ["bytes", "count"])
    #expect(Self.numbers(counters[0]["time"]) == [0, 2_000_000, 2_000_000])
    #expect((counters[0]["value"] as? [Double]) == [4096, 0.5, -3])
    let values = try #require(counters[1]["value"] as? [Double])
    #expect(values.count <= 2000 && values.max() == 500 && values.min() == 1)
    let times = Self.numbers(counters[1]["time"])
    #expect(times.count == values.count && times.allSatisfy { $0 >= 0 } && times.reduce(0, +) <= 9_999_000)
  }

  @Test func aHistoryHasItsBudgets() throws {
    let sink = MemorySink()
    try BrowserPageTests.history.write(to: sink)
    let page = try #require(try Self.parts(String(decoding: sink.bytes, as: UTF8.self))["page-data"])
    let budgets = try #require(page["budgets"] as? [[String: Any]])
    #expect(budgets.map { $0["metric"] as? String } == ["total", "milestone/ready"])
    #expect(budgets.map { $0["quantile"] as? Double } == [0.95, 0.5])
    // Five launches are too few for a median at 99 %.
    #expect(budgets[1]["verdict"] as? String == "inconclusive")
    let points = try #require(page["points"] as? [[String: Any]])
    #expect(budgets[1]["estimate"] as? Double == points.last?["median"] as? Double)
  }

  @Test func launchesBeyondTheSizeAreInTheOverviewOnly() throws {
    let page = ReportFormat.html.string(Self.page((1...12).map { .server(run: $0, runs: 12) }))
    let parts = try Self.parts(page)
    #expect(parts.count == 13)
    let rows = try #require(parts["page-data"]?["launches"] as? [[String: Any]])
    #expect(rows.count == 12 && rows.allSatisfy { $0["data"] != nil })
    #expect(parts["page-data"]?["summary"] != nil)
  }
}
