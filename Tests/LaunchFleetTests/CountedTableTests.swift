// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchFleet

/// Launches that a server counted give the answers of the launches themselves, as exactly as a bin is wide.
struct CountedTableTests {
  private static let width = 1.0 / 1024

  private static func counted(_ table: FleetTable) throws -> FleetTable {
    let columns = table.labelNames
    var rows = RowBinary(CountedAnswer(table, columns).bytes, of: "server")
    var counted = CountedTable(columns)
    while !rows.isAtEnd { counted.add(try ClickHouseCell(&rows, columns: columns.count)) }
    return counted.finished()
  }

  private static func isClose(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left / right - 1) <= width
  }

  @Test(arguments: [1, 10])
  func reportsAreEqual(weight: Int) throws {
    var random = SeededRandom(seed: 3)
    let lines = (1...4000).map { id in
      let total = 1_000_000 + random.next(below: 400_000_000)
      let record = RecordText(
        id: id, version: id % 3 == 0 ? "2.1" : "2.0", total: id % 50 == 0 ? nil : total, phases: [("load", total / 3)])
      return record.with("sample", id % 4 == 0 ? "\(weight)" : "1").with("withinBudget", "\(id % 5 != 0)").line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .named(["version", "program", "end"])))
    let (plain, counted) = (
      try FleetReport(table, by: ["version"], tail: 0.005),
      try FleetReport(try Self.counted(table), by: ["version"], tail: 0.005)
    )
    #expect(counted.census.sentences == ["times are counted in bins: percentiles are exact to 0.1 %"])
    #expect(plain.groups.map(\.values) == counted.groups.map(\.values) && counted.isWeighted == (weight > 1))
    #expect(plain.groups.map(\.values) == [["2.0"], ["2.1"]])
    for (left, right) in zip(plain.groups, counted.groups) {
      #expect(left.launches == right.launches)
      #expect(left.failed == right.failed && left.within == right.within)
      #expect(left.phases.map(\.name) == ["phase/load"] && right.phases.map(\.name) == ["phase/load"])
      let metrics = zip([try #require(left.total)] + left.phases, [try #require(right.total)] + right.phases)
      for (first, second) in metrics {
        #expect(first.name == second.name && first.count == second.count)
        #expect(first.quantiles.count == 5 && second.quantiles.count == 5)
        for (from, to) in zip(first.quantiles, second.quantiles) {
          #expect(Self.isClose(from.estimate, to.estimate), "\(first.name): \(from) \(to)")
          // With weights, the bounds are read off between launches.
          if weight == 1 { #expect(Self.isClose(from.lower, to.lower) && Self.isClose(from.upper, to.upper)) }
        }
      }
    }
  }

  @Test(arguments: [1.0, 1.08]) func comparisonsAreEqual(factor: Double) throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.mixShift, fleet.factor, fleet.hasFaults) = (6000, 1, factor, true)
    let (table, options) = (FleetComparisonTests.table(fleet), try FleetComparisonTests.versions())
    let (plain, counted) = (
      try FleetComparison(table, options), try FleetComparison(try Self.counted(table), options)
    )
    #expect(plain.status == (factor > 1 ? .regressed : .passed) && counted.status == plain.status)
    #expect(plain.counts == counted.counts && plain.mix.held.map(\.name) == counted.mix.held.map(\.name))
    #expect(plain.rows.count == counted.rows.count)
    for row in plain.rows {
      let other = try #require(counted.rows.first { $0.metric == row.metric })
      let (left, right) = (try #require(row.shift), try #require(other.shift))
      #expect(abs(left.estimate.relative - right.estimate.relative) < 2 * Self.width, "\(row.metric)")
      // How many more launches would decide differs by the width of a bin, too.
      let isOpen = [row, other].allSatisfy { $0.verdict?.isInconclusive == true }
      #expect(isOpen || row.verdict == other.verdict)
    }
    #expect(plain.guilty.map { "\($0.metric) \($0.values)" } == counted.guilty.map { "\($0.metric) \($0.values)" })
    let failures = try [plain, counted].map { try #require($0.failures).difference }
    #expect(abs(failures[0] - failures[1]) < 1e-12)
  }

  /// `scripts/check-engines` asks a server. Here only the condition of the query is looked at.
  @Test func failedLaunchesWithoutASelectingColumnAreAskedFor() throws {
    var question = FleetQuestion()
    question.filter = try FleetFilter(["meta.ring=a,meta.ring=", "kind=warm"])
    question.sides = [try FleetFilter(["version=2"])]
    let (query, columns) = ClickHouseQuery(question).unknownFailures()
    #expect(columns == ["kind", "version"])
    let ring = "toString(labels['meta.ring']) IN ('a', '')"
    #expect(
      query.contains(
        "WHERE (\(ring.replacing("'')", with: "'', '')")) AND toString(`kind`) IN ('warm', '')) "
          + "AND ((toString(`version`) IN ('2', '')))\nAND NOT ((\(ring) AND toString(`kind`) IN ('warm')) "
          + "AND ((toString(`version`) IN ('2'))))"), "\(query)")
    #expect(ClickHouseQuery(FleetQuestion()).unknownFailures().columns.isEmpty)
  }

  @Test func changesAreEqual() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.days, fleet.changeDay, fleet.dayFactor) = (4500, 12, 6, 1.15)
    let labels: Set = ["day", "machine", "kind", "reason", "context", "os", "program", "end"]
    let table = FleetReader.table(fleet.lines().lines, FleetQuestion(labels: .named(labels)))
    let plain = try FleetChanges(table, by: .day)
    let counted = try FleetChanges(try Self.counted(table), by: .day)
    #expect(plain.changes.map(\.place) == [6] && counted.changes.map(\.place) == [6])
    #expect(plain.points.map(\.name) == counted.points.map(\.name))
    #expect(plain.points.map(\.launches) == counted.points.map(\.launches))
    for (left, right) in zip(plain.points, counted.points) {
      let levels = (try #require(left.level), try #require(right.level))
      #expect(
        abs(levels.0 - levels.1) < 2 * Self.width && Self.isClose(left.quantile.estimate, right.quantile.estimate))
    }
  }

  /// A server may say anything.
  @Test func brokenAnswersAreErrors() throws {
    let table = FleetReader.table(
      (1...5).map { RecordText(id: $0, phases: [("load", $0)]).line }, FleetQuestion(labels: .named(["version"])))
    let whole = CountedAnswer(table, ["version"]).bytes
    for length in 1..<whole.count {
      var rows = RowBinary(Array(whole[..<length]), of: "server")
      #expect(throws: FleetError.self) {
        while !rows.isAtEnd { _ = try ClickHouseCell(&rows, columns: 1) }
      }
    }
    var random = SeededRandom(seed: 9)
    for _ in 0..<2000 {
      let bytes = (0..<random.next(below: 80)).map { _ in UInt8(random.next(below: 256)) }
      var (rows, counted) = (RowBinary(bytes, of: "server"), CountedTable(["version"]))
      while !rows.isAtEnd, let cell = try? ClickHouseCell(&rows, columns: 1) { counted.add(cell) }
      _ = try FleetReport(counted.finished(), by: [], tail: 0.005)
    }
  }

  @Test func wordsOfAQuestionStayWords() throws {
    #expect(ClickHouseQuery.literal(#"a'b\c"#) == #"'a\'b\\c'"#)
    var question = FleetQuestion()
    question.filter = try FleetFilter(["meta.x'y=1') OR ('1"])
    let query = ClickHouseQuery(question).counts(by: ["version"])
    #expect(query.contains(#"toString(labels['meta.x\'y']) IN ('1\') OR (\'1')"#))
  }

  @Test func anAddressIsOne() {
    for server in ["", "host:8123", "http://user:secret@host", "ftp://host"] {
      #expect(throws: FleetError.self) { try ClickHouse(server) }
    }
  }
}

/// What a server answers about the launches of a table: counts by cell and bin, in RowBinary.
private struct CountedAnswer {
  private(set) var bytes: [UInt8] = []

  init(_ table: FleetTable, _ columns: [String]) {
    var cells: [[String]: [Int]] = [:]
    for row in 0..<table.count {
      let labels = columns.map { name in table.label(name).map { $0.text($0.codes[row]) } ?? "" }
      let rest: [Int] = [
        Int(table.outcomes[row]), Int(table.withinBudget[row]), table.metrics[0].values[row].isNaN ? 0 : 1,
        Int(table.weights[row]),
      ]
      cells[labels + rest.map { String($0) }, default: []].append(row)
    }
    for (key, rows) in cells {
      for label in key.prefix(columns.count) { text(label) }
      for number in key.suffix(4) { self.number(Int(number) ?? 0) }
      number(rows.count)
      bytes.append(UInt8(table.metrics.count))
      for metric in table.metrics {
        text(metric.name.replacing("/", with: ".", maxReplacements: 1))
        var bins: [UInt32: Int] = [:]
        for row in rows where !metric.values[row].isNaN {
          bins[metric.values[row].bitPattern >> TimeBin.shift, default: 0] += 1
        }
        length(bins.count)
        for bin in bins.keys { number(Int(bin)) }
        length(bins.count)
        for count in bins.values { number(count) }
      }
    }
  }

  private mutating func length(_ value: Int) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(value & 0x7f | 0x80))
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  private mutating func text(_ text: String) {
    length(text.utf8.count)
    bytes += text.utf8
  }

  private mutating func number(_ number: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(number >> shift & 0xff)) }
  }
}
