// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// The first screen of traces that other tools wrote.
struct ForeignOverviewTests {
  private func launches(ofChrome events: String) throws -> LaunchSet {
    let trace = try Array("[\(events)]".utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    return LaunchSet([LaunchTimeline(trace: trace)])
  }

  private func reports(ofChrome events: String, findingsOnly: Bool = false) throws -> (text: String, json: String) {
    let launches = try launches(ofChrome: events)
    var options = ReportOptions()
    (options.isBrief, options.findingsOnly) = (true, findingsOnly)
    return (ReportFormat.text.string(launches, options: options), ReportFormat.json.string(launches, options: options))
  }

  /// As Clang's `-ftime-trace` writes it: sums on threads of their own, before the thread that did the work.
  @Test func manyLongThreadsLeaveRoomForTheMainThread() throws {
    func event(_ thread: Int, _ name: String, _ start: Int, _ duration: Int) -> String {
      #"{"ph":"X","pid":1,"tid":\#(thread),"ts":\#(start),"dur":\#(duration),"name":"\#(name)"}"#
    }
    let sums = (2...9).map { event($0, "Total \($0)", 0, 90_000) }
    let work = [event(1, "Compile", 0, 100_000), event(1, "Parse", 0, 40_000), event(1, "Optimise", 40_000, 60_000)]
    let text = try reports(ofChrome: (sums + work).joined(separator: ",")).text
    for name in ["main thread", "Compile", "Parse", "Optimise", "Total 2"] {
      #expect(text.contains(" \(name)"), "\(name): \(text)")
    }
    #expect(text.split(separator: "\n").count <= 40)
  }

  /// "No part stands out" would say that there were parts.
  @Test func aTraceWithoutIntervalsIsNotOneWithoutLongOnes() throws {
    #expect(try reports(ofChrome: "").text.contains("  No intervals were recorded.\n"))
    let instant = #"{"ph":"i","s":"t","pid":1,"tid":1,"ts":5,"name":"found"}"#
    #expect(try reports(ofChrome: instant).text.contains("  The trace has only events without a duration. The HTML"))
    let zero = #"{"ph":"X","pid":1,"tid":1,"ts":5,"dur":0,"name":"a"}"#
    #expect(try reports(ofChrome: zero).text.contains("  No part stands out.\n"))
  }

  /// Who sees an empty report must learn that the file has something else.
  @Test func anEmptyReportSaysWhatIsNotRead() throws {
    let object = #"{"ph":"O","pid":1,"tid":1,"ts":5,"name":"snapshot"}"#
    #expect(try reports(ofChrome: object).text.contains("and does not read events of phase O (1)."))
    let page = ReportFormat.html.string(try launches(ofChrome: object))
    #expect(page.contains(#""nothing":"launchprof found no intervals, and does not read events of phase O (1).""#))
  }

  /// A page that says that another page draws something would be no help.
  @Test func thePageSaysWhatItsTimelineHas() throws {
    let instant = #"{"ph":"i","s":"t","pid":1,"tid":1,"ts":5,"name":"found"}"#
    let page = ReportFormat.html.string(try launches(ofChrome: instant))
    #expect(page.contains(#""nothing":"The trace has only events without a duration.","isDrawn":true"#))
    #expect(!page.contains("The HTML report draws them"))
  }

  @Test func eventsWithADefectAreCounted() throws {
    let instants = #"{"ph":"i","ts":100,"name":"q"},{"ph":"i","ts":500,"name":"r"}"#
    let (text, json) = try reports(ofChrome: instants)
    #expect(text.contains("  2 events ignored: instants of no track\n"))
    let compact = json.filter { !$0.isWhitespace }
    #expect(compact.contains(#""ignoredEvents":[{"count":2,"reason":"instantsofnotrack"}]"#))
    let findings = try reports(ofChrome: instants, findingsOnly: true)
    #expect(findings.text.contains("  2 events ignored: instants of no track\n"), "\(findings.text)")
    #expect(findings.json.contains("\"ignoredEvents\""))
    let complete = #"{"ph":"X","ts":1,"name":"a","pid":1,"tid":1}"#
    let words = try reports(ofChrome: instants + "," + complete).text.split(whereSeparator: \.isWhitespace)
    #expect(
      words.joined(separator: " ").contains(
        "3 events ignored: instants of no track (2), complete events with no duration (1)"))
  }

  /// Events of kinds that no report shows are no defect of the trace.
  @Test func eventsThatNoReportShowsAreNotCounted() throws {
    let (text, json) = try reports(
      ofChrome: #"{"ph":"X","ts":1,"dur":5,"name":"a","pid":1,"tid":1},{"ph":"\u0007","ts":1},{"ph":"O","ts":1}"#)
    #expect(!text.contains("ignored") && !json.contains("ignoredEvents"))
  }
}
