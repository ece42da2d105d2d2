// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// Raises every finding of the catalogue and reports it in every format.
struct FindingFormatTests {
  private struct Reported {
    var launches: LaunchSet
    var launch: LaunchSet.Launch { launches.launches[0] }

    /// - Parameter id: a finding that the launch must raise.
    init(raising id: String) throws {
      let trace = try #require(
        SampleLaunch.trace(raising: id), "a new finding needs a launch that raises it: SampleLaunch+Findings.swift")
      launches = LaunchSet([LaunchTimeline(trace: trace)])
      try #require(
        launch.findings.contains { $0.id == id },
        "not raised: only \(launch.findings.map(\.id))")
    }

    func text(_ format: ReportFormat, findingsOnly: Bool = true, isBrief: Bool = false) -> String {
      var options = ReportOptions()
      (options.width, options.isBrief) = (120, isBrief)
      options.findingsOnly = findingsOnly
      return format.string(launches, options: options)
    }
  }

  private static let ids = FindingGuide.all.map(\.id)

  @Test(arguments: ids) func itSaysWhatWasExpectedWhatWasWhereAndWhatToDo(id: String) throws {
    for finding in try Reported(raising: id).launch.findings {
      #expect(!finding.subject.isEmpty, "\(finding.id)")
      #expect(!finding.evidence.isEmpty && finding.evidence.allSatisfy { !$0.text.isEmpty }, "\(finding.id)")
      #expect(finding.advice.count > 10 && !finding.advice.contains("\n"), "\(finding.id)")
      #expect(finding.expected != finding.actual && finding.expected >= 0, "\(finding.id)")
    }
  }

  /// An error that is no whole number of sampling periods is as exact as the time.
  @Test func theErrorHasNoMoreDigitsThanTheTime() {
    var launch = SampleLaunch(exit: 200_000_000, isInstrumented: false)
    launch.samples(["main", "busy"], from: 10_000_000, to: 50_000_000)
    launch.samples(["main", "other"], from: 54_345_678, to: 60_345_678)
    launch.pause(from: 70_000_000, to: 80_000_000)
    var options = ReportOptions()
    options.findingsOnly = true
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(text.contains(/busy\n +40.00 ms ± [0-9]+\.[0-9][0-9], from samples/), "\(text)")
  }

  /// An interpreter filled 43 lines with one finding's path.
  @Test func aLongPathShowsItsEnds() {
    var launch = SampleLaunch(exit: 200_000_000, isInstrumented: false)
    launch.samples(["main"] + (0..<40).map { .init("step\($0)") }, from: 10_000_000, to: 50_000_000)
    launch.pause(from: 70_000_000, to: 80_000_000)
    var options = ReportOptions()
    options.findingsOnly = true
    let launches = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let text = ReportFormat.text.string(launches, options: options).inOneLine
    #expect(text.contains(/> … [0-9]+ more > step[0-9]+ >/) && !text.contains("step20"), "\(text)")
    #expect(ReportFormat.json.string(launches, options: options).contains("step20"))
  }

  @Test(arguments: ids) func jsonHasAllOfIt(id: String) throws {
    let reported = try Reported(raising: id)
    let object = try JSONSerialization.jsonObject(with: Data(reported.text(.json).utf8)) as? [String: Any]
    let launch = try #require((object?["launches"] as? [[String: Any]])?.first)
    let rows = try #require(launch["findings"] as? [[String: Any]])
    #expect(rows.count == reported.launch.findings.count)
    for (row, finding) in zip(rows, reported.launch.findings) {
      #expect(row["id"] as? String == finding.id && row["unit"] as? String == finding.unit.rawValue)
      #expect(row["expected"] as? Int64 == finding.expected && row["actual"] as? Int64 == finding.actual)
      #expect(row["error"] as? Int64 == finding.error && row["subject"] as? String == finding.subject)
      #expect(row["phase"] as? String == finding.phase && row["path"] as? [String] == finding.path)
      #expect(row["start"] as? Int64 == finding.start - reported.launch.timeline.start)
      #expect(row["others"] as? Int ?? 0 == finding.others && row["sum"] as? String == finding.sum?.rawValue)
      #expect(row["occurrences"] as? Int == finding.occurrences && row["advice"] as? String == finding.advice)
      #expect(row["file"] as? String == finding.file && row["line"] as? Int == finding.line)
      let evidence = (row["evidence"] as? [[String: Any]] ?? []).compactMap { piece in
        Evidence.Kind(rawValue: piece["kind"] as? String ?? "").map {
          Evidence($0, piece["text"] as? String ?? "", time: piece["time"] as? Int64)
        }
      }
      #expect(evidence == finding.evidence)
    }
  }

  @Test(arguments: ids) func csvHasAllOfIt(id: String) throws {
    let reported = try Reported(raising: id)
    let table = try #require(CSVTable(reported.text(.csv)))
    #expect(table.rows.count == reported.launch.findings.count)
    for (row, finding) in zip(table.rows, reported.launch.findings) {
      let cells = Dictionary(uniqueKeysWithValues: zip(table.header, row))
      let evidence = finding.evidence.map { piece in
        "\(piece.kind.rawValue): \(piece.text)" + (piece.time.map { " \($0)" } ?? "")
      }
      let expected: [String: String] = [
        "launch": "1", "id": finding.id, "unit": finding.unit.rawValue, "expected": "\(finding.expected)",
        "actual": "\(finding.actual)", "error": finding.error.map { "\($0)" } ?? "", "subject": finding.subject,
        "phase": finding.phase ?? "", "path": finding.path.joined(separator: ";"),
        "start_ns": "\(finding.start - reported.launch.timeline.start)", "occurrences": "\(finding.occurrences)",
        "file": finding.file ?? "", "line": finding.line.map { "\($0)" } ?? "", "advice": finding.advice,
        "evidence": evidence.map { $0.replacing(";", with: "\\u{3B}") }.joined(separator: ";"),
        "others": "\(finding.others)", "sum": finding.sum?.rawValue ?? "",
      ]
      #expect(cells == expected)
    }
  }

  @Test(arguments: ids) func textHasAllOfIt(id: String) throws {
    let reported = try Reported(raising: id)
    let unit = TimeUnit(reported.launch.timeline, ascii: false)
    // One block for each finding, without its line breaks.
    let blocks = "\n\(reported.text(.text))".replacing("\n! ", with: "\u{0}").split(separator: "\u{0}").dropFirst()
      .map { $0.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }
    #expect(blocks.count == reported.launch.findings.count)
    for (block, finding) in zip(blocks, reported.launch.findings) {
      var parts = ["\(finding.id) \(finding.error == nil ? "" : "~")\(finding.subject)", finding.advice]
      if finding.unit == .nanoseconds {
        parts += [unit.text(finding.actual), "allowed \(unit.brief(finding.expected)) \(unit.symbol)"]
      } else if ![FindingName.failedLaunch, FindingName.notInstrumented, FindingName.debugBuild].contains(finding.id) {
        parts.append("\(finding.actual), expected \(finding.expected)")
      } else {
        // It says nothing.
        #expect(!block.contains(", expected"), "\(finding.id)")
      }
      // A finding of the whole launch is at no time after its start.
      let delay = finding.start - reported.launch.timeline.start
      if delay > 0 { parts.append("\(unit.text(delay)) after the start") }
      #expect(delay > 0 || !block.contains("after the start"), "\(finding.id)")
      if let error = finding.error { parts.append("± \(unit.brief(error)), from samples") }
      if let often = finding.howOften { parts.append(often) }
      if let phase = finding.phase { parts.append("in \(phase)") }
      if !finding.path.isEmpty { parts.append("in \(finding.path.joined(separator: " > "))") }
      if let file = finding.file { parts.append("at \(file)" + (finding.line.map { ":\($0)" } ?? "")) }
      for piece in finding.evidence {
        parts.append((piece.time.map { "\(unit.number($0)) " } ?? "") + "\(piece.kind.rawValue) \(piece.text)")
      }
      for part in parts { #expect(block.contains(part), "\(finding.id)") }
    }
  }

  /// A complete report contains the finding and its advice, too.
  @Test(arguments: ids) func reportsForPeopleNameIt(id: String) throws {
    let reported = try Reported(raising: id)
    for format in [ReportFormat.text, .markdown] {
      let report = reported.text(format, findingsOnly: false).replacing("\\", with: "")
        .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      for finding in reported.launch.findings.prefix(FindingSection.limit) {
        #expect(report.contains(finding.id) && report.contains(finding.advice), "\(format)")
      }
    }
  }

  /// "2 times" would say that one library was opened twice.
  @Test func othersOfItsKindAreNotTimes() throws {
    let reported = try Reported(raising: FindingName.dlopenAtLaunch)
    let finding = try #require(reported.launch.findings.first { $0.id == FindingName.dlopenAtLaunch })
    try #require(finding.occurrences > 1)
    let words = "\(finding.subject) and others (\(finding.occurrences) times)"
    for isBrief in [false, true] {
      let text = reported.text(.text, findingsOnly: false, isBrief: isBrief)
      let line = try #require(text.split(separator: "\n").first { $0.contains("! \(finding.id)") })
      #expect(line.contains(words), "\(line)")
    }
    for text in [reported.text(.text), reported.text(.markdown, findingsOnly: false)] {
      #expect(text.contains(", \(finding.occurrences) times with others"), "\(text)")
    }
  }

  /// "(3 times)" beside the time of one of them seemed to be the time of three.
  @Test(arguments: [nil, .own, .all] as [Finding.Sum?]) func itsTimeIsOfTheLongestOrOfAll(sum: Finding.Sum?) throws {
    let trace = try #require(SampleLaunch.trace(raising: FindingName.launchWaiting))
    var finding = try #require(LaunchTimeline(trace: trace).findings.first { $0.id == FindingName.launchWaiting })
    (finding.subject, finding.occurrences, finding.others, finding.sum) = ("read", 5, 2, sum)
    let memory = MemorySink()
    var page = TextPage(memory, style: TextStyle(hasColor: false, isASCII: true), width: 100)
    FindingSection(grouping: [finding, finding], unit: TimeUnit(for: 9_000_000, ascii: true), limit: 8).write(to: &page)
    try page.finish()
    let text = String(decoding: memory.bytes, as: UTF8.self)
    let (words, often) =
      switch sum {
      case nil: ("read (longest of 3) +5 more ", "longest of 3, +2 more")
      case .own: ("read (3 times) +5 more ", "3 times, +2 more")
      case .all: ("read and others (5 times) +3 more ", "5 times with others")
      }
    #expect(text.contains(words) && finding.howOften == often, "\(text)")
  }

  /// What is left out is counted, also beside a short name in a narrow column.
  @Test func othersAreCountedBesideAShortName() throws {
    var launch = SampleLaunch(exit: 100_000_000)
    launch.interval("a", from: 0, to: 30_000_000)
    launch.interval("b", from: 40_000_000, to: 71_000_000)
    let findings = LaunchSet([LaunchTimeline(trace: launch.trace())]).launches[0].findings.filter {
      ["a", "b"].contains($0.subject)
    }
    try #require(findings.count == 2 && findings[0].id == findings[1].id, "\(findings)")
    let memory = MemorySink()
    var page = TextPage(memory, style: TextStyle(hasColor: false, isASCII: true), width: 100)
    FindingSection(grouping: findings, unit: TimeUnit(for: 30_000_000, ascii: true), limit: 8).write(to: &page)
    try page.finish()
    let text = String(decoding: memory.bytes, as: UTF8.self)
    #expect(text.contains("b +1 more"), "\(text)")
  }

  /// Findings from samples are marked as such, with their error and line.
  @Test func unrecordedWorkHasItsLineAndItsError() throws {
    let reported = try Reported(raising: FindingName.mainThreadOverBudget)
    let finding = try #require(reported.launch.findings.first { $0.id == FindingName.mainThreadOverBudget })
    #expect(finding.subject == "parseTemplates" && finding.error == 1_000_000)
    #expect(finding.file == "/src/Templates.swift" && finding.line == 42)
    let text = reported.text(.markdown, findingsOnly: false)
    #expect(text.contains("**main-thread-over-budget** ~parseTemplates: "), "\(text)")
    #expect(finding.evidence.contains { $0.kind == .stack && $0.text.hasSuffix("parseTemplates > inflate") })
  }
}
