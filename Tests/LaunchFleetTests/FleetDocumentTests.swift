// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetDocumentTests {
  static func document(by columns: [String]) throws -> FleetDocument {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.hasFaults) = (1000, true)
    let question = FleetQuestion(labels: .named(Set(columns + ["program", "end"])))
    return FleetDocument(
      try FleetReport(FleetReader.table(fleet.lines().lines, question), by: columns, tail: 0.005))
  }

  @Test(arguments: FleetDocument.Format.allCases) func hostileNamesAreHarmless(format: FleetDocument.Format) throws {
    let text = try Self.document(by: ["meta.channel"]).string(format)
    // In the text, names give way to numbers.
    if format != .text { #expect(text.contains("alert(1)") || text.contains("alert\\(1)")) }
    for scalar in text.unicodeScalars where scalar != "\n" && !(format == .csv && scalar == "\r") {
      #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
    }
    switch format {
    case .html: #expect(!text.contains("<script") && text.contains("&lt;script&gt;"))
    case .markdown: #expect(text.contains("\\<script") && !text.replacing("\\<", with: "").contains("<"))
    case .csv: #expect(!text.contains(",=cmd") && !text.contains("\n=cmd"))
    case .text, .json: break
    }
  }

  @Test func aPageCanBeUsedWithoutAMouse() throws {
    let text = try Self.document(by: ["version"]).string(.html)
    func count(_ part: String) -> Int { text.ranges(of: part).count }
    #expect(count("<main>") == 1 && count("</main>") == 1)
    #expect(count("<table>") > 0 && count("role=\"region\" aria-label=\"") == count("<table>"))
    #expect(count("tabindex=\"0\"") == count("<table>"))
    // Each row has a name, and each column has one.
    #expect(count("<th scope=\"row\"") == count("<tr>") - count("<thead>") && count("<th scope=\"col\"></th>") == 0)
  }

  @Test func textFitsAScreen() throws {
    for columns in [[], ["version"], ["version", "machine"]] {
      let lines = try Self.document(by: columns).string(.text).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.unicodeScalars.count <= 80 } && lines.count <= 50)
    }
    let table = FleetComparisonTests.standardTable
    let comparison = FleetDocument(try FleetComparison(table, try FleetComparisonTests.versions()))
    let lines = comparison.string(.text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.unicodeScalars.count <= 80 } && lines.count <= 50)
  }

  /// A few launches that hung made all phases 0.000 s.
  @Test(arguments: [FleetDocument.Format.text, .markdown, .html])
  func launchesThatHungDoNotHideTheOthers(format: FleetDocument.Format) throws {
    let lines = (1...400).map { id in
      RecordText(id: id, total: id % 40 == 0 ? 150_000_000_000 : 4_210_000, phases: [("exec", 320_000)]).line
    }
    let report = try FleetReport(FleetReader.table(lines), by: [], tail: 0.005)
    let text = FleetDocument(report).string(format)
    #expect(["(ms)", "4.21", "0.32", "150 s"].allSatisfy { text.contains($0) }, "\(text)")
  }

  /// The version may be why more launches are cold, which no comparison like for like shows.
  @Test func whatGrewInAnotherMixIsNamed() throws {
    func document(slowMachines: Bool = false, headIsCold: (Int) -> Bool) throws -> FleetDocument {
      let lines = (0..<2000).map { id in
        let isCold = id % 2 == 1 ? headIsCold(id) : id % 10 == 0
        let isSlow = slowMachines && (id % 2 == 1 ? id % 7 > 0 : id % 3 == 0)
        let total = (isCold ? 900 : 300) * (isSlow ? 4 : 1) * 1_000_000 + id * 7919 % 50_000_000
        return RecordText(id: id + 1, version: "2.\(id % 2)", total: total)
          .with("kind", isCold ? "\"cold\"" : "\"warm\"").with("machine", isSlow ? "\"slow\"" : "\"fast\"").line
      }
      let options = FleetComparisonOptions(
        base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=2.1"]))
      return FleetDocument(try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options))
    }
    let more = try document { $0 % 10 < 6 }
    let shares = "20.0 % of the base, 60.0 % of the head"
    #expect(
      more.sentences.contains {
        $0.text.contains("have the kind cold: \(shares).") && $0.text.contains("--mix program")
      })
    #expect(more.notes.contains { $0.contains("kind (cold: \(shares))") })
    #expect(more.string(.json).contains("\"value\": \"cold\""))
    // Fewer cold launches are faster launches.
    let fewer = try document { _ in false }
    #expect(!fewer.sentences.contains { $0.text.contains("have the kind") })
    #expect(fewer.notes.contains { $0.contains("kind (warm: 80.0 % of the base, 100.0 % of the head)") })
    // Slower machines are the reason, and not that more launches are warm.
    let slow = try document(slowMachines: true) { $0 % 10 == 1 && $0 % 4 == 1 }
    #expect(slow.sentences.first?.text.contains("A different mix of machine and kind causes +") == true)
    #expect(!slow.sentences.contains { $0.text.contains("have the kind") }, "\(slow.sentences)")
  }

  @Test func phasesWithoutAVerdictAreExplained() throws {
    func notes(load: Int) throws -> String {
      let lines = (0..<400).map { id in
        RecordText(
          id: id + 1, version: "2.\(id % 2)", total: 100_000_000 + id, phases: [("load", load + id)]
        ).line
      }
      let question = FleetQuestion(labels: .named(["version", "program", "end"]))
      let comparison = try FleetComparison(FleetReader.table(lines, question), try FleetComparisonTests.versions())
      return FleetDocument(comparison).string(.text)
    }
    #expect(try notes(load: 900_000).contains("Phases of at most 1 ms on both sides have no verdict."))
    #expect(try !notes(load: 1_100_000).contains("have no verdict"))
  }

  /// In µs or s, no title says ms.
  @Test(arguments: [FleetDocument.Format.text, .markdown, .html], [(1000, "µs"), (1_000_000_000, "s")])
  func titlesHaveTheUnitOfTheTimes(format: FleetDocument.Format, time: (scale: Int, unit: String)) throws {
    let records = (1...20).map { RecordText(id: $0).with("total", "\(400 * time.scale + $0)").line }
    let table = FleetReader.table(records, FleetQuestion())
    let text = FleetDocument(try FleetReport(table, by: [], tail: 0.005)).string(format).replacing("\\", with: "")
    #expect(text.contains("Total (\(time.unit))") && !text.contains("(ms)"), "\(text)")
  }

  /// People are told of the rows that a format leaves out.
  @Test(arguments: [FleetDocument.Format.text, .markdown]) func rowsThatAreLeftOutAreCounted(
    format: FleetDocument.Format
  ) throws {
    let question = FleetQuestion(labels: .named(["version"]))
    let records = (1...30).map { RecordText(id: $0).with("version", "\"1.\($0)\"").line }
    let report = try FleetReport(FleetReader.table(records, question), by: ["version"], tail: 0.005)
    let text = FleetDocument(report).string(format)
    #expect(text.contains("and 6 more: -o FILE.csv has them"), "\(text)")
  }

  @Test func groupsBeyondTheBoundAreInNoFormat() throws {
    let all = (1...1300).map { RecordText(id: $0).with("version", "\"1.\($0)\"").line }
    let records = all + [RecordText(id: 2000).with("version", "\"1.1300\"").line]
    let table = FleetReader.table(records, FleetQuestion(labels: .named(["version"])))
    let document = FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005))
    #expect(document.string(.csv).split(separator: "\r\n").count == 1 + 1000)
    #expect(document.exclusions.contains { $0.hasPrefix("300 further groups are left out of every format") })
    // The one with the most launches is the last one by name.
    #expect(document.string(.csv).contains("\r\n1.1300,") && document.title == "1,301 launches")
  }

  /// "42 launches to ready" counted those that were killed before.
  @Test func theTitleSaysHowManyLaunchesCompleted() throws {
    func report(failed: Int) throws -> FleetDocument {
      let lines = (1...1200).map { id in
        RecordText(id: id, version: id <= min(failed, 200) ? "" : "2.0", total: id <= failed ? nil : 400_000_000).line
      }
      let table = FleetReader.table(lines, FleetQuestion(labels: .named(["version", "program", "end"])))
      return FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005))
    }
    #expect(try report(failed: 0).title == "notes: 1,200 launches to ready")
    #expect(try report(failed: 200).title == "notes: 1,200 launches, 1,000 of them to ready")
    #expect(try report(failed: 1200).title == "notes: 1,200 launches")
    // A version that is not known is "?".
    let note = "? means \"not known\"."
    #expect(try report(failed: 200).string(.text).contains(note) && !report(failed: 0).string(.text).contains(note))
    #expect(try !report(failed: 200).string(.json).contains("? means"))
  }

  /// It explained intervals that it did not have.
  @Test(arguments: [FleetDocument.Format.text, .markdown, .html])
  func aReportOfNothingHasNoNotesAboutIntervals(format: FleetDocument.Format) throws {
    func text(version: String) throws -> String {
      var question = FleetQuestion()
      question.filter = try FleetFilter(["version=" + version])
      let table = FleetReader.table((1...20).map { RecordText(id: $0).line }, question)
      return FleetDocument(try FleetReport(table, by: [], filter: question.filter, tail: 0.005)).string(format)
    }
    #expect(try text(version: "2.0").contains("ntervals"))
    let nothing = try text(version: "7")
    #expect(nothing.contains("No record matches the filter") && !nothing.contains("nterval"), "\(nothing)")
  }

  /// Of records that stand for several launches, both tables count the launches.
  @Test func launchesAreThoseThatTheRecordsRepresent() throws {
    let lines = (1...20).map { RecordText(id: $0, phases: [("load", 1000)]).with("sample", "5").line }
    let document = FleetDocument(try FleetReport(FleetReader.table(lines), by: [], tail: 0.005))
    let text = document.string(.text)
    #expect(text.contains(#/\nall +100 /#) && text.contains(#/\nload +100 /#), "\(text)")
  }

  /// Where only ASCII can be shown, signs are ASCII letters, not escapes.
  @Test func signsHaveLettersInASCII() throws {
    var options = ComparisonReportOptions()
    options.ascii = true
    let table = FleetComparisonTests.standardTable
    let comparison = FleetDocument(try FleetComparison(table, try FleetComparisonTests.versions()))
    for (document, sign) in [
      (try Self.document(by: ["version", "machine"]), #/version - machine/#),
      (try Self.document(by: ["version"]), #/ \+-\d/#), (comparison, #/\d to [+-]\d/#),
    ] {
      let text = document.string(.text, options: options)
      #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains(#/\\u\{[0-9A-F]+\}/#), "\(text)")
      #expect(text.contains(sign), "\(text)")
    }
  }

  @Test func aComparisonNamesItsQuantile() throws {
    var options = try FleetComparisonTests.versions()
    options.fraction = 0.999
    let text = FleetDocument(try FleetComparison(FleetComparisonTests.standardTable, options)).string(.text)
    #expect(text.contains("p99.9 (ms)") && !text.contains("p100"), "\(text)")
  }

  /// The sentence says what the quantile needs, and not to hold fewer columns than none.
  @Test func aQuantileOfFewLaunchesSaysHowManyItNeeds() throws {
    let lines = (0..<120).map { RecordText(id: $0 + 1, version: "2.\($0 % 2)", total: 100_000_000 + $0).line }
    var options = try FleetComparisonTests.versions()
    options.fraction = 0.9
    let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    let text = FleetDocument(comparison).string(.text)
    #expect(text.contains("p90 needs 150 launches on each side.") && !text.contains("--mix"), "\(text)")
  }

  @Test func budgetsThatAreNotCheckedAreNamed() throws {
    let budgets = [("count/lookups", true), ("page-faults", false), ("milestone/none", true)].map {
      QuantileBudget(metric: $0.0, fraction: 0.9, limit: 1, isTime: $0.1)
    }
    var question = FleetQuestion()
    question.metrics = FleetGate.metrics(of: budgets)
    let table = FleetReader.table([RecordText(id: 1).with("count.lookups", "7").line], question)
    let gate = FleetGate(table, head: FleetFilter(), budgets: budgets, within: 0.95, tail: 0.005)
    let document = FleetDocument(gate)
    #expect(document.notes.contains { $0.contains("count/lookups p90 and page-faults p90") }, "\(document.notes)")
    #expect(
      document.sentences.map(\.text) == [
        "Not checked, because no record has the metric: milestone/none p90.",
        "--within was not checked, because no launch has a budget of its own.",
      ])
  }

  @Test func aColumnThatIsLeftOutIsAWarning() throws {
    let lines = (0..<120).map { id in
      var record = RecordText(id: id + 1, version: "2.\(id % 2)", total: 100_000_000 + id)
      for number in 0..<70 { record.set("meta.m\(number)", "\"x\"") }
      return record.line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    let document = FleetDocument(try FleetComparison(table, try FleetComparisonTests.versions()))
    #expect(document.sentences.contains { $0.ink == .bad && $0.text.contains("more columns") })
  }

  @Test func phasesThatAreNotShownAreNamed() throws {
    let records = (1...70).map { RecordText(id: $0, version: "1.\($0 % 7)", phases: [("load", 1000)]).line }
    let table = FleetReader.table(records, FleetQuestion(labels: .named(["version"])))
    let text = FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005)).string(.text)
    #expect(text.contains("Phases are shown for at most 6 groups: -o FILE.csv has them."), "\(text)")
  }

  /// Columns without room are counted, and no line is longer than the page.
  @Test func manyGroupsFitAScreen() throws {
    let records = (1...600).map { id in
      RecordText(id: id, version: "1.0.0-nightly.\(id % 6)", phases: [("load", id * 1000)]).line
    }
    let table = FleetReader.table(records, FleetQuestion(labels: .named(["version"])))
    let document = FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005))
    let text = document.string(.text)
    #expect(text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 80 }, "\(text)")
    #expect(text.contains("no room for "), "\(text)")
    // Names are cut only as far as they differ, and stand above their columns.
    #expect(text.contains(#/1\.0\.0-nightly\.0 +1\.0\.0-nightly\.1.*\n +p50 +p50/#), "\(text)")
    var wide = ComparisonReportOptions()
    wide.width = 160
    #expect(!document.string(.text, options: wide).contains("no room"))
  }

  /// `will-finish-launching` and another phase were both `will-fi…`, beside columns that were half empty.
  @Test func phasesKeepTheirNames() throws {
    let names = ["did-finish-launching", "will-finish-launching", "will-finish-loading"]
    let records = (1...400).map { id in
      RecordText(id: id, version: "app 2026.\(id % 2)", phases: names.map { ($0, id * 1000) }).line
    }
    let table = FleetReader.table(records, FleetQuestion(labels: .named(["version"])))
    let text = FleetDocument(try FleetReport(table, by: ["version"], tail: 0.005)).string(.text)
    for name in names { #expect(text.contains("\n\(name.prefix(19))"), "\(text)") }
    #expect(!text.contains("no room"), "\(text)")
  }

  /// Groups whose names begin alike, in every format for people.
  @Test(arguments: [FleetDocument.Format.text, .markdown, .html]) func groupsCanBeToldApart(
    format: FleetDocument.Format
  ) throws {
    let columns = ["day", "version", "machine"]
    let records = (1...90).map { id in
      RecordText(id: id, version: "2.\(id % 2)", phases: [("load", id * 1000)])
        .with("machine", id % 3 == 0 ? "\"x86_64-4c-8g\"" : "\"x86_64-8c-16g\"").with("withinBudget", "true").line
    }
    let table = FleetReader.table(records, FleetQuestion(labels: .named(Set(columns))))
    let text = FleetDocument(try FleetReport(table, by: columns, tail: 0.005)).string(format)
      .replacing("\\", with: "")
    let names = format == .text ? ["x86_64-4", "x86_64-8"] : ["x86_64-4c-8g", "x86_64-8c-16g"]
    for version in ["2.0", "2.1"] {
      for name in names {
        #expect(text.contains("2026-11-22 · \(version) · \(name)"), "\(text)")
        if format != .text { #expect(text.contains("2026-11-22 · \(version) · \(name) p50"), "\(text)") }
      }
    }
    if format == .text { #expect(text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 80 }, "\(text)") }
  }

  /// Page faults are no nanoseconds.
  @Test(arguments: [FleetDocument.Format.text, .markdown, .html]) func countsAreNoTimes(
    format: FleetDocument.Format
  ) throws {
    let records = (1...200).map { id in
      RecordText(id: id, version: "2.\(id % 2)", total: 400_000_000 + id * 100_000, phases: [("load", id * 100_000)])
        .with("count.minorFaults", "1600").with("time", "\"2026-11-\(10 + id % 6)T10:00:00Z\"").line
    }
    var question = FleetQuestion(labels: .named(["day", "version"]))
    question.metrics = ["count/minorFaults"]
    let table = FleetReader.table(records, question)
    for by in [[], ["version"]] {
      let text = FleetDocument(try FleetReport(table, by: by, tail: 0.005)).string(format)
      #expect(text.contains("Counts") && text.contains("1,600"), "\(text)")
    }
    let changes = try FleetChanges(table, by: .day, metric: "count/minorFaults")
    let text = FleetDocument(changes).string(format)
    #expect(text.contains("1,600") && !text.contains("p50 ("), "\(text)")
  }

  @Test func aConfidenceIsNotRoundedToAll() throws {
    var options = try FleetComparisonTests.versions()
    options.error = 0.0005
    let text = FleetDocument(try FleetComparison(FleetComparisonTests.standardTable, options)).string(.text)
    #expect(text.contains("99.95 % confidence"), "\(text)")
  }
}
