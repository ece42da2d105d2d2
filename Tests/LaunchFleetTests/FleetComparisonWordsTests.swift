// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetComparisonWordsTests {
  /// 200 launches of each side, of which the head is odd.
  private func comparison(
    mix: [String]? = nil, _ change: (inout RecordText, Int) -> Void
  ) throws -> FleetComparison {
    let lines = (0..<400).map { id in
      var record = RecordText(id: id + 1, version: "2.\(id % 2)", total: 400_000_000 + id * 7919 % 1_000_000)
      change(&record, id)
      return record.line
    }
    var options = try FleetComparisonTests.versions()
    options.mix = mix
    return try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
  }

  /// The raw change was 0 %, and a different mix the reason for it.
  @Test(arguments: [(0, 3_600_000), (3_600_000, 0), (0, 0)])
  func aPhaseThatWasOrBecameNothingHasNoOtherMix(base: Int, head: Int) throws {
    let comparison = try comparison { record, id in
      let time = id % 2 == 0 ? base : head
      record.set("phase.index", "\(time + (time > 0 ? id : 0))")
    }
    let row = try #require(comparison.rows.first { $0.metric == "phase/index" })
    #expect(row.raw == (base > 0 ? -1 : head > 0 ? nil : 0))
    #expect(base + head > 0 ? row.mix == nil : row.mix ?? 0 == 0, "\(row)")
    let csv = FleetDocument(comparison).string(.csv)
    if head > 0 { #expect(csv.contains(/phase\/index,0,36\d+,,,/), "\(csv)") }
  }

  /// −56 % (−82 … +10 %) was "no change". Programs read the same word as before.
  @Test(arguments: [(0.985, 0.2, "no regression"), (1, 0.02, "no change")])
  func whatMayHaveGotFasterIsNoRegression(factor: Double, spread: Double, words: String) throws {
    let comparison = try comparison { record, id in
      let noise = spread * Double(id / 2 * 7919 % 997) / 997
      record.set("total", "\(Int(400e6 * (id % 2 == 1 ? factor : 1) * (1 + noise)))")
      record.set("machine", "\"m\(id / 2 % 2)\"")
    }
    #expect(comparison.status == .passed && comparison.total.verdict == .noChange, "\(comparison.total)")
    let document = FleetDocument(comparison)
    #expect(document.title.hasSuffix(words))
    for format in [FleetDocument.Format.text, .markdown, .html] {
      let text = document.string(format)
      #expect(text.ranges(of: "no regression").count == (factor < 1 ? text.ranges(of: words).count : 0), "\(text)")
      #expect(text.ranges(of: words).count > 1, "\(text)")
    }
    for format in [FleetDocument.Format.csv, .json] {
      let text = document.string(format)
      #expect(text.contains("no-change") && !text.contains("no-regression"), "\(text)")
    }
  }

  /// It was advised to hold fewer columns equal, or to collect more launches.
  @Test(arguments: [nil, [], ["machine"]] as [[String]?]) func sidesOfDifferentProgramsAreIncomparable(
    mix: [String]?
  ) throws {
    let comparison = try comparison(mix: mix) { record, id in
      record.set("program", "\"notes\(id % 2)\"")
      record.set("machine", "\"m\(id % 3)\"")
    }
    let text = FleetDocument(comparison).string(.text).replacing("\n", with: " ")
    #expect(comparison.status == .incomparable && text.contains(": incomparable "), "\(text)")
    #expect(text.contains("they differ in program (notes0 against notes1).") && !text.contains("--mix"), "\(text)")
  }

  @Test func sidesWithDifferentEndsAreIncomparable() throws {
    let ends = try comparison { record, id in record.set("end", id % 2 == 0 ? "\"ready\"" : "\"exit\"") }
    let text = FleetDocument(ends).string(.markdown)
    #expect(
      ends.status == .incomparable
        && text.replacing("\\", with: "").contains("they differ in end (ready against exit)"), "\(text)")
    // Each program and each end is on both sides, but not together.
    let crossed = try comparison { record, id in
      record.set("program", "\"notes\(id / 2 % 2)\"")
      record.set("end", id % 4 == 0 || id % 4 == 3 ? "\"ready\"" : "\"exit\"")
    }
    #expect(crossed.status == .incomparable && crossed.mix.apart.map(\.name) == ["program", "end"])
    let some = try comparison { record, id in record.set("end", id % 4 == 0 ? "\"exit\"" : "\"ready\"") }
    #expect(some.status != .incomparable && some.mix.apart.isEmpty)
  }

  /// From "20.15 ±38.66", a reader computed a lower end of −18.51.
  @Test func theGateShowsBothEndsOfAnInterval() throws {
    let totals = [16, 18, 20, 20, 20, 59, 60, 61].map { $0 * 1_000_000 }
    let lines = totals.indices.map { RecordText(id: $0 + 1, total: totals[$0]).line }
    let budget = QuantileBudget(metric: "total", fraction: 0.5, limit: 1_000_000)
    let gate = FleetGate(
      FleetReader.table(lines), head: FleetFilter(), budgets: [budget], failed: 0.5, tail: 0.005)
    let text = FleetDocument(gate).string(.text)
    #expect(text.contains("16.00 … 61.00") && text.contains(/0\.0 … \d+\.\d %/) && !text.contains("±"), "\(text)")
    let report = FleetDocument(try FleetReport(FleetReader.table(lines), by: [], tail: 0.005))
    #expect(report.string(.text).contains(/±\d/) && report.string(.text).contains("± is the longer side"))
    // A sign that a page does not have needs no explanation.
    #expect(!report.string(.html).contains("±") && report.string(.html).contains("confidence for each number"))
  }

  /// A table of many groups has no second line for them.
  @Test func aReportOfManyGroupsSaysWhereTheIntervalsAre() throws {
    let lines = (0..<90).map { RecordText(id: $0 + 1, version: "\($0 % 9)", total: 20_000_000 + $0).line }
    let report = FleetDocument(
      try FleetReport(FleetReader.table(lines, FleetQuestion(labels: .all)), by: ["version"], tail: 0.005))
    let text = report.string(.text)
    #expect(!text.contains("±") && text.contains("-o FILE.csv has the intervals."), "\(text)")
  }

  @Test func sharesHaveTheDigitsOfWhatIsPrinted() {
    #expect([0.00994, 0.00996, 0.01].map { FleetCellText.percent($0) } == ["0.99 %", "1.0 %", "1.0 %"])
  }

  /// An interval of "0.46 … 1.0 %" seemed to be within 1 %, and the gate said that it is not certain.
  @Test func aShareDiffersFromItsLimit() throws {
    func percent(_ share: Double) -> String { FleetCellText.percent(share, unlike: 0.01) }
    let shares = [0.0046, 0.010023, 0.00999, 0.01, 0.02]
    #expect(shares.map(percent) == ["0.46 %", "1.002 %", "0.999 %", "1.0 %", "2.0 %"])
    #expect(percent(0.010000000001) == "1.000000 %")
    // The upper end is a little above the limit.
    let lines = (1...400).map { RecordText(id: $0, total: $0 % 50 == 0 ? nil : 400_000_000 + $0).line }
    let table = FleetReader.table(lines)
    func gate(_ failed: Double) -> FleetGate {
      FleetGate(table, head: FleetFilter(), budgets: [], failed: failed, tail: 0.005)
    }
    let upper = try #require(gate(0.02).shares.first).share.upper
    let open = gate(upper - 1e-6)
    #expect(open.status == .inconclusive)
    let limit = FleetCellText.percent(upper - 1e-6)
    #expect(FleetCellText.percent(upper) == limit, "without the limit, both have the same text")
    for format in [FleetDocument.Format.text, .markdown, .html] {
      let text = FleetDocument(open).string(format).replacing("\\", with: "")
      #expect(text.contains(FleetCellText.percent(upper, unlike: upper - 1e-6)), "\(text)")
    }
  }
}
