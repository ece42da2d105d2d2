// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

struct TextLayoutTests {
  @Test(arguments: [false, true]) func everyWidthFits(ascii: Bool) {
    let launches: [[SampleLaunch]] = [
      [.server()], [.server(scale: 1)], [.server(scale: 60_000)], [.interface()], [.crash()], [.launcherOnly()],
      [.held()],
      [.server(), .server(), .crash()], [.crowd(threads: 40)], [],
    ]
    for launches in launches {
      let set = LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
      for width in stride(from: 1, through: 200, by: 11) {
        var options = ReportOptions()
        options.width = width
        options.ascii = ascii
        expectLines(ReportFormat.text.string(set, options: options), options: options)
      }
    }
  }

  /// A note of a finding is a sentence, and was cut in its middle.
  @Test func aSentenceBehindNumbersIsWrapped() {
    let text = TextPage.text(style: TextStyle(hasColor: false, isASCII: false), width: 40) { page in
      var line = TextLine(page.style)
      line.add("12.00  note  ")
      page.paragraph("not counted: intervals in it, and functions with findings", indent: line.columns, behind: line)
    }
    let blanks = String(repeating: " ", count: 13)
    #expect(
      text == "12.00  note  not counted: intervals in\n\(blanks)it, and functions with\n\(blanks)findings\n", "\(text)")
  }

  /// "Measure on a quiet machine. If the …" asked more than it told.
  @Test(arguments: [
    ("Measure again. Wait. If it has child processes, record them.", "  Measure again.\n  Wait.\n"),
    ("Look at the functions of it. Wait.", "  Look at the\n  functions of …\n"), ("Wait.", "  Wait.\n"), ("", ""),
  ])
  func aSentenceThatDoesNotFitIsLeftOut(text: String, shown: String) {
    let page = TextPage.text(style: TextStyle(hasColor: false, isASCII: false), width: 16) { page in
      page.paragraph(text, indent: 2, mostLines: 2)
    }
    #expect(page == shown, "\(page)")
  }

  /// Browsers and terminals showed `טעינה 22.00 21.00` with the numbers in the opposite order.
  @Test(arguments: [
    ("load 22.00 21.00", "load 22.00 21.00"), ("├ größe – 1.00", "├ größe – 1.00"), ("", ""),
    ("טעינה 22.00 21.00", "\u{2068}טעינה\u{2069} 22.00 21.00"),
    ("! a שלום עולם  2", "! a \u{2068}שלום עולם\u{2069}  2"), ("1 (مرحبا)", "1 \u{2068}(مرحبا)\u{2069}"),
  ])
  func wordsFromRightToLeftAreIsolated(text: String, isolated: String) {
    #expect(RightToLeft.isolated(text).utf8.elementsEqual(isolated.utf8))
    #expect(withoutIsolates(isolated) == text && DisplayWidth.columns(isolated) == DisplayWidth.columns(text))
  }

  @Test func namesFromRightToLeftAreIsolated() {
    func text(_ name: String) -> String {
      var launch = SampleLaunch(preinit: 1000)
      launch.phase(name, from: 2_000_000, to: 30_000_000)
      launch.mark("ready", at: 40_000_000)
      return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: ReportOptions())
    }
    let lines = text("טעינה")
    #expect(lines.contains("\u{2068}טעינה\u{2069} "))
    // In the same columns.
    #expect(withoutIsolates(lines).replacing("טעינה", with: "abcde") == text("abcde"))
  }

  /// `self` and `%` were one number.
  @Test func aLargeShareDoesNotTouchTheTimeBeforeIt() {
    var launch = SampleLaunch(exit: 100_000_000)
    for _ in 0..<150 {
      let lane = launch.lane()
      launch.async("task", from: 0, to: 90_000_000, lane: lane, began: launch.main, ended: launch.main)
    }
    let text = ReportFormat.text.string(
      LaunchSet([LaunchTimeline(trace: launch.trace())]), options: ReportOptions())
    #expect(text.split(whereSeparator: \.isWhitespace).contains("13500.0"), "\(text)")
  }

  @Test func namesBelowMuchNestingFit() {
    var launch = SampleLaunch(exit: 200_000_000)
    let own = (0..<12).map { SampleLaunch.Frame("f\($0)", image: "/bin/app\($0)") }
    let calls = (0..<6).map { SampleLaunch.Frame("parse\($0)", image: "/usr/lib/libjson.so.1") }
    launch.samples(own + calls + ["Setting.init"], from: 0, to: 100_000_000)
    launch.samples(own + ["other"], from: 100_000_000, to: 150_000_000)
    var options = ReportOptions()
    options.width = 40
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(text.contains("… "))
    expectLines(text, options: options)
  }

  /// The last columns of numbers are left out where they leave no room for the names.
  @Test(arguments: Breakdown.Aspect.allCases) func everyWidthFitsABreakdown(aspect: Breakdown.Aspect) {
    for launch in [SampleLaunch.held(), .sampled()] {
      let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
      for width in stride(from: 1, through: 200, by: 7) {
        var options = ReportOptions()
        (options.width, options.breakdown) = (width, aspect)
        expectLines(ReportFormat.text.string(set, options: options), options: options)
      }
    }
  }

  @Test func whatTheAgentLacksIsSaid() {
    func text(untimed: UInt64, lost: UInt64) -> String {
      var launch = SampleLaunch()
      launch.launcher(
        exit: 10_000_000,
        [("observer", .string("perf")), ("agent_untimed", .uint(untimed)), ("agent_lost", .uint(lost))])
      var options = ReportOptions()
      options.width = 200
      return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    }
    #expect(text(untimed: 2, lost: 0).contains("the agent could not time 2 libraries; their time"))
    #expect(text(untimed: 1, lost: 0).contains("the agent could not time 1 library; its time"))
    #expect(text(untimed: 0, lost: 7).contains("7 records of the agent were lost"))
    #expect(!text(untimed: 0, lost: 0).contains("agent"))
  }

  @Test func theTitleHasOnlyLabelsThatSaySomething() throws {
    func title(kind: String, reason: String, context: String, count: Int = 1) throws -> Substring {
      var launch = SampleLaunch(exit: 10_000_000)
      launch.metadata([("kind", .string(kind)), ("reason", .string(reason)), ("context", .string(context))])
      let timelines = (0..<count).map { _ in LaunchTimeline(trace: launch.trace()) }
      let text = ReportFormat.text.string(LaunchSet(timelines))
      return try #require(text.split(separator: "\n").first)
    }
    let known = try title(kind: "cold", reason: "terminal", context: "foreground")
    #expect(
      known.hasSuffix(" · cold launch · terminal · foreground")
        || known.hasSuffix(" cold launch · terminal · foreground"))
    #expect(try !title(kind: "uncertain", reason: "unknown", context: "uncertain").contains("un"))
    #expect(try title(kind: "warm", reason: "terminal", context: "uncertain", count: 2).hasSuffix(", 2 warm launches"))
    #expect(try title(kind: "uncertain", reason: "terminal", context: "uncertain", count: 2).hasSuffix(", 2 launches"))
  }

  @Test func nestingDeeperThanTheWidthKeepsItsNames() {
    var launch = SampleLaunch()
    for depth in 0..<200 as Range<Int64> { launch.interval("level \(depth)", from: depth, to: 10_000 - depth) }
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains("level 199"))
    expectLines(text, options: ReportOptions())
  }

  @Test func manyThreadsAreSummedUp() {
    var launch = SampleLaunch()
    launch.interval("work", from: 0, to: 1_000_000)
    for number in 0..<10_000 as Range<Int32> {
      let thread = launch.thread(10_000 + number, name: "t")
      launch.interval("tiny", from: Int64(number), to: Int64(number) + 100, on: thread)
    }
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.split(separator: "\n").count < 40)
    #expect(text.contains("10000 tracks below 0.5 %"))
    #expect(text.contains("20000 paths below 0.5 % not shown"))
  }

  @Test(arguments: [ReportFormat.text, .markdown]) func ofThousandsOfThreadsTheLongestAreShown(format: ReportFormat) {
    let launch = SampleLaunch.crowd(threads: 3000)
    let text = format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count < 80)
    #expect(lines.contains { $0.hasSuffix(" main thread") })
    // The longest threads, by start: each one runs a little longer than the preceding one.
    let shown = lines.filter { $0.contains("worker (") }
    #expect(shown.map { String($0.suffix(14)) } == (12_988..<13_000).map { "worker (\($0))" })
    #expect(lines.contains { $0.hasSuffix(" 2988 more tracks") && $0.contains("10438.58") })
    #expect(text.contains("2988 tracks with less time not shown; --format csv has all of them"))
    #expect(lines.count { $0.contains("serve (beside)") } == 12)
    #expect(lines.contains { $0.contains("2988 more (beside)") })
    #expect(!text.contains("below 0.5 % not shown"))
  }

  @Test func aDozenThreadsAreAllShown() {
    let launch = SampleLaunch.crowd(threads: 12)
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.split(separator: "\n").count { $0.contains("worker (") } == 12)
    #expect(!text.contains("more tracks") && !text.contains("more (beside)"))
  }

  /// The main thread is always shown, even if it has almost no time of its own.
  @Test func theMainThreadIsNeverLeftOut() {
    var launch = SampleLaunch()
    launch.interval("short", from: 0, to: 10)
    for number in 0..<20 as Range<Int32> {
      launch.interval("job", from: 0, to: 10_000_000, on: launch.thread(10_000 + number, name: "worker"))
    }
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains(" main thread\n"))
    #expect(text.contains(" 8 more tracks\n"))
  }

  @Test func whatIsOverBudgetIsNeverCut() {
    var launch = SampleLaunch()
    launch.interval("long", from: 0, to: 60_000_000_000)
    launch.interval("outer", from: 60_000_000_000, to: 60_020_000_000)
    launch.interval("short but over", from: 60_000_000_000, to: 60_017_000_000)
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("! ") && $0.contains("short but over") }
    #expect(lines.count == 2)
  }

  @Test func spansThatTakeNoTime() {
    var launch = SampleLaunch(preinit: 0)
    launch.mark("main", at: 0)
    launch.mark("ready", at: 0)
    launch.phase("nothing", from: 0, to: 0)
    launch.interval("nowhere", from: 0, to: 0)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    expectLines(ReportFormat.text.string(set), options: ReportOptions())
    #expect(ReportFormat.text.string(set).contains("0.0 µs to ready"))
  }

  // MARK: Pieces

  @Test func numbers() {
    let milliseconds = TimeUnit(for: 400_000_000, ascii: false)
    #expect(milliseconds.text(123_456_789) == "123.46 ms")
    #expect(milliseconds.number(5_000) == "0.01")
    #expect(milliseconds.number(4_999) == "0.00")
    #expect(milliseconds.number(-1_500_000) == "-1.50")
    #expect(milliseconds.number(-1) == "0.00")
    #expect(milliseconds.short(16_000_000) == "16")
    #expect(milliseconds.short(500_000) == "0.5")
    #expect(milliseconds.short(100_000_000) == "100")
    #expect(TimeUnit(counting: "samples").short(100) == "100")
    #expect(milliseconds.small(6_000) == "0.006 ms")
    #expect(milliseconds.small(1) == "under 0.001 ms")
    #expect(TimeUnit(for: 999_999, ascii: false).text(999_999) == "1000.0 µs")
    #expect(TimeUnit(for: 999_999, ascii: true).symbol == "us")
    #expect(TimeUnit(for: 20_000_000_000, ascii: true).text(20_123_456_789) == "20123.5 ms")
    #expect(TimeUnit(for: 200_000_000_000, ascii: true).text(.max) == "9223372036.855 s")
  }

  /// It would have made the others 0.
  @Test func aMuchLongerTimeHasItsOwnUnit() {
    let milliseconds = TimeUnit(for: 16_000_000, ascii: false)
    let hung: Int64 = 101_234_000_000
    #expect([99_999_990_000, hung, -hung].map(milliseconds.number) == ["99999.99", "101.234 s", "-101.234 s"])
    #expect(milliseconds.text(hung) == "101.234 s" && milliseconds.briefText(hung) == "101.234 s")
    #expect(milliseconds.briefText(2_500_000) == "2.5 ms")
    let (short, long) = (milliseconds.pair(320_000, 350_000), milliseconds.pair(320_000, hung))
    #expect([short.0, short.1, long.0, long.1] == ["0.32", "0.35", "0.32 ms", "101.234 s"])
    #expect(TimeUnit(for: 900_000, ascii: true).number(150_000_000) == "150 ms")
    #expect(TimeUnit(counting: "samples").number(.max) == "\(Int64.max)")
    #expect(milliseconds.number(.min) == "-9223372036.855 s")
  }

  /// All times of the others were 0.016 s or 0.000 s.
  @Test func aLaunchThatHungDoesNotHideTheOthers() {
    var hung = SampleLaunch()
    hung.launcher(exit: 101_000_000_000, outcome: "timed-out", isInstrumented: false)
    let text = ReportFormat.text.string(LaunchSet(samples: [.launcherOnly(), .launcherOnly(), .launcherOnly(), hung]))
    #expect(text.contains("median 23.40 ms") && text.contains("1 failed"), "\(text)")
  }

  /// One launch of 12 ms that was fully drawn after more than two minutes.
  @Test func workAfterTheLaunchDoesNotHideTheLaunch() {
    var launch = SampleLaunch(preinit: 1000)
    launch.interval("parse", from: 2_000_000, to: 5_000_000)
    launch.mark("ready", at: 12_000_000)
    launch.mark("fully-drawn", at: 130_000_000_000)
    launch.launcher(exit: 131_000_000_000)
    let text = ReportFormat.text.string(LaunchSet(samples: [launch]))
    #expect(text.contains("12.00 ms to ready") && text.contains(" 3.00 ") && text.contains(" 129.988 s"), "\(text)")
    expectLines(text, options: ReportOptions())
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("\u{A960}\u{D7B0}\u{D7CB}", 2),
    ("ｱ", 1), ("！", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2),
    ("☺\u{FE0F}", 2), (" \u{FE0F}", 1), ("1\u{FE0F}\u{20E3}", 2),
    ("שלום", 4), ("क्षि", 3), ("", 0), ("🙂", 2), ("…", 1), ("█", 1),
  ])
  func widths(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test func truncation() {
    #expect(DisplayWidth.truncated("abcdef", to: 6, ellipsis: "…") == "abcdef")
    #expect(DisplayWidth.truncated("abcdef", to: 5, ellipsis: "…") == "abcd…")
    #expect(DisplayWidth.truncated("日本語", to: 4, ellipsis: "…") == "日…")
    #expect(DisplayWidth.truncated("abcdef", to: 2, ellipsis: "...") == "..")
  }

  @Test func aNumberStaysWithItsUnit() throws {
    let memory = MemorySink()
    var page = TextPage(memory, style: TextStyle(hasColor: false, isASCII: true), width: 37)
    page.paragraph("The p50 of the total differs by 33.5 %, or by 139.84 ms (of 417.14 ms) in 10 s.", indent: 0)
    try page.finish()
    #expect(
      String(decoding: memory.bytes, as: UTF8.self)
        == "The p50 of the total differs by\n33.5 %, or by 139.84 ms (of\n417.14 ms) in 10 s.\n")
  }

  @Test func bars() {
    let axis = TimeAxis(start: 0, end: 80, columns: 10, style: TextStyle(hasColor: false, isASCII: false))
    #expect(axis.bar(from: 0, to: 80) == "██████████")
    #expect(axis.bar(from: 8, to: 16) == " █")
    #expect(axis.bar(from: 12, to: 24) == " ▐█")
    #expect(axis.bar(from: 0, to: 1) == "▏")
    #expect(axis.bar(from: 80, to: 80) == "         ▐")
    #expect(axis.bar(from: 0, to: 8, last: 40) == "█░░░░")
    #expect(axis.bar(from: 40, to: 56, isGap: true) == "     ░░")
    let ascii = TimeAxis(start: 0, end: 80, columns: 10, style: TextStyle(hasColor: false, isASCII: true))
    #expect(ascii.bar(from: 8, to: 24, last: 40) == " ##..")
  }
}

/// Checks that every line fits the width, has no trailing spaces and no control characters, and is ASCII if asked for.
func expectLines(_ text: String, options: ReportOptions, sourceLocation: SourceLocation = #_sourceLocation) {
  let width = min(max(options.width, 40), 160)
  #expect(text.hasSuffix("\n"), sourceLocation: sourceLocation)
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    let line = String(line)
    #expect(DisplayWidth.columns(line) <= width, "\(width): \(line)", sourceLocation: sourceLocation)
    #expect(!isControlled(withoutIsolates(line)), "\(line.debugDescription)", sourceLocation: sourceLocation)
    #expect(line.last != " ", "\(line.debugDescription)", sourceLocation: sourceLocation)
    if options.ascii { #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)", sourceLocation: sourceLocation) }
  }
}
