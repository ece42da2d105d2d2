// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Launches with a million of something: what formats keep of each, and how much they write.
struct CraftedLaunchTests {
  /// They took 170 and 400 bytes, and a report eleven times the file.
  @Test func whatViewersKeepOfAnIntervalIsSmall() {
    #expect(MemoryLayout<ViewerSpan>.stride <= 4)
    #expect(MemoryLayout<FirefoxMarker>.stride <= 8)
  }

  /// Each row had its lines as a string, and room for a sum: 80 bytes, half a million times.
  @Test func whatTextKeepsOfANodeIsSmall() {
    #expect(MemoryLayout<FlameRows.Row>.stride <= 12)
  }

  /// A page had a million of one event.
  @Test func annotationsOnAPageAreBounded() {
    var launch = SampleLaunch()
    let many = 1_500
    let elements = AnnotationValue.array([AnnotationValue](repeating: .array([]), count: 5_000))
    let numbers: SampleLaunch.Annotations = (1..<many).map { (key: "key \($0)", value: .int(Int64($0))) }
    launch.interval("work", from: 1000, to: 2000, [(key: "list", value: elements)] + numbers)
    let page = ReportFormat.html.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(page.contains("\"key 999\"") && !page.contains("\"key 1000\""))
    // The elements are empty, and the last one of those that the trace keeps says that there were more.
    #expect(page.contains("\"500 more annotations\"") && page.contains("\"list\",\"…\""))
  }

  /// A file of 813 KB whose functions share a long path of source took 300 MB as a page.
  @Test func aLongPathOfSourceIsCutOnAPage() {
    var launch = SampleLaunch()
    let file = "/" + String(repeating: "s", count: 5_000) + "/main.swift"
    launch.samples([SampleLaunch.Frame("work", file: file, line: 7)], from: 0, to: 10_000_000)
    let page = ReportFormat.html.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(page.contains("\"…" + String(repeating: "s", count: 245) + "/main.swift:7\""))
  }

  /// The strings of the trace and those of the page are one table.
  @Test func aStringOfThePageIsWrittenOnce() {
    var table = StringTable()
    let (short, long) = (table.intern("a"), table.intern(String(repeating: "n", count: 5_000)))
    var page = PageStrings(table)
    let rows = [
      page.row(of: "b"), page.row(of: short.rawValue), page.row(of: "a"), page.row(of: long.rawValue),
      page.row(of: String(repeating: "n", count: 6_000)), page.row(of: ""), page.row(of: UInt32(99)),
    ]
    #expect(rows == [1, 2, 2, 3, 3, 0, 0])
    #expect(Array(page.strings) == ["", "b", "a", String(repeating: "n", count: 4_096) + "…"])
  }

  /// The tree of half a million intervals was kept twice.
  @Test func aLongBlockOfMarkdownIsNotKept() throws {
    final class Pieces: ByteSink {
      var sizes: [Int] = []
      var text = ""
      func write(_ bytes: UnsafeRawBufferPointer) {
        sizes.append(bytes.count)
        text += String(decoding: bytes, as: UTF8.self)
      }
    }
    let sink = Pieces()
    let block = BlockSink(sink, width: 150)
    let line = String(repeating: "`", count: 150) + "\n"
    for _ in 0..<20_000 { try Array(line.utf8).withUnsafeBytes(block.write) }
    try block.finish()
    #expect(sink.sizes.allSatisfy { $0 < 2 << 20 })
    let lines = sink.text.split(separator: "\n")
    #expect(lines.count == 20_002 && lines.first == (lines.last ?? "") + "text")
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.count < lines.last?.count ?? 0 })
  }

  /// Each path repeats a name of 31,000 bytes: 620 MB in all.
  @Test(arguments: [ReportFormat.csv, .folded]) func pathsAreBounded(format: ReportFormat) {
    var launch = SampleLaunch()
    launch.interval(String(repeating: "n", count: 31_000), from: 1000, to: 10_000_000)
    for place in 0..<20_000 as Range<Int64> {
      launch.interval("work \(place)", from: 2000 + place * 100, to: 2050 + place * 100)
    }
    let report = format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(report.utf8.count < 5_000_000)
    #expect(report.contains("...;work 19999"))
  }

  /// A list of the rows of a million phases would take a gigabyte.
  @Test func rowsAreVisitedOneByOne() {
    let launch = LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())]).launches[0]
    var ids: [String] = []
    LaunchReport.CSVTable.phases(mainThreadOnly: false).visit(launch) { ids.append($0[0]) }
    #expect(ids.count > 5 && ids.contains("main"))
  }

  /// Each is a four-hundredth of a percent of the launch.
  @Test func ofTooManyOverBudgetShortOnesAreSummedUp() {
    var launch = SampleLaunch()
    for place in 0..<41_000 as Range<Int64> {
      launch.interval("work \(place)", from: place * 20_000_000, to: place * 20_000_000 + 17_000_000)
    }
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let rows = ReportFormat.text.string(set).split(separator: "\n").filter { $0.contains("└ ") || $0.contains("├ ") }
    #expect(rows.count < 100)
  }

  @Test func stacksOfManySamplesAreShorter() {
    var launch = SampleLaunch()
    launch.samples((0..<600).map { SampleLaunch.Frame(stringLiteral: "f\($0)") }, from: 0, to: 10_000_000)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let shown = SpeedscopeLaunch(shown: ViewerLaunch(set.launches[0], mainThreadOnly: false), prefix: "")
    #expect(shown.deepest([0]) == 512)
    // Each sample of the million takes 268 bytes.
    #expect(shown.deepest([Int32](repeating: 0, count: 1_000_000)) == 67)
  }
}
