// SPDX-License-Identifier: Apache-2.0

import LaunchRecord
import LaunchTrace
import Testing

@testable import LaunchFleet

struct FleetReaderTests {
  @Test func whatIsNoRecordIsCountedAndPassedOver() {
    let good = RecordText(id: 1).line
    let lines = [
      good, "garbage", "[1,2]", "{", "{\"record\":1,", "{\"record\":1}}", "{\"a\":tru}", "{\"a\":1 \"b\":2}",
      "{\"message\":\"a log line\"}", RecordText(id: 2).with("record", "2").line, good,
      RecordText(id: 3).with("total", "-5").line, RecordText(id: 4).with("total", "99999999999999999999").line,
      RecordText(id: 5).with("phase.load", "-1").line, RecordText(id: 6).with("id", "\"short\"").line,
      RecordText(id: 7).with("time", "\"2099-01-01T00:00:00Z\"").line, RecordText(id: 8).with("time", "\"now\"").line,
      RecordText(id: 9).with("time", "\"1970-01-01T00:00:00Z\"").line, RecordText(id: 10, total: nil).line,
    ]
    var question = FleetQuestion()
    question.now = 1_795_341_600
    let census = FleetReader.table(lines, question).census
    #expect(census.lines == lines.count)
    #expect(census.garbage == 7 && census.foreign == 1 && census.newer == 1 && census.duplicates == 1)
    #expect(census.impossible == 3 && census.withoutID == 1 && census.wrongClock == 3)
    #expect(census.launches == 6)
    // Every line is in one of the counts.
    #expect(
      census.launches + census.garbage + census.foreign + census.newer + census.duplicates + census.impossible
        == census.lines)
  }

  /// The same launches, recorded by the command and by the program, were an increase of `load` by 652 %.
  @Test func loadingHasOneMeaningInATable() {
    let byCommand = (1...3).map {
      RecordText(id: $0, phases: [("exec", 1000), ("load", 2000), ("relocate", 4000), ("main", 9)]).line
    }
    let byProgram = (4...5).map { RecordText(id: $0, phases: [("load", 7000), ("main", 9)]).line }
    let table = FleetReader.table(byCommand + byProgram)
    #expect(table.metric("phase/load")?.values == [Float](repeating: 7000, count: 5))
    #expect(table.metricNames == ["total", "phase/load", "phase/main"])
    #expect(table.census.joinedLoads == 3 && table.census.sentences.count == 1)
    // Without the others, nothing is lost.
    let alone = FleetReader.table(byCommand)
    #expect(alone.metric("phase/relocate")?.values == [4000, 4000, 4000] && alone.census.sentences.isEmpty)
    var question = FleetQuestion()
    question.metrics = ["phase/relocate"]
    #expect(FleetReader.table(byCommand + byProgram, question).metric("phase/load")?.values[0] == 2000)
  }

  /// A launch counts, or does not, whichever metrics the question names.
  @Test func oneMetricThatIsImpossibleIsNoImpossibleLaunch() {
    let lines = [
      RecordText(id: 1).with("milestone.ready", "-1").line, RecordText(id: 2).with("milestone.ready", "0.5").line,
      RecordText(id: 3).with("milestone.ready", "86400000000001").line,
      RecordText(id: 4).with("milestone.ready", "\"7\"").line, RecordText(id: 5).with("milestone.ready", "7e3").line,
    ]
    var question = FleetQuestion()
    for metrics in [[], ["milestone/ready"]] as [Set<String>] {
      question.metrics = metrics
      let table = FleetReader.table(lines, question)
      #expect(table.count == 5 && table.census.impossible == 0)
      #expect(
        table.metric("milestone/ready").map { $0.values.filter { !$0.isNaN } } == (metrics.isEmpty ? nil : [7000]))
    }
    for (key, least) in [("total", 1), ("phase.load", 0)] {
      let sound = ["\(least)", "1e3", "86400000000000", "null"]
      let impossible = [
        "\(least - 1)", "1.5", "86400000000001", "1e20", "99999999999999999999", "\"7\"", "true", "[7]",
      ]
      for (values, count) in [(sound, 0), (impossible, 1)] {
        for value in values {
          let table = FleetReader.table([RecordText(id: 1).with(key, value).line])
          #expect(table.census.impossible == count, "\(key) \(value)")
        }
      }
    }
  }

  @Test func fieldsInAnyOrderWithEscapesAndBlanksAreRead() throws {
    let lines = [
      #"{"total":7000000,"record":1, "version" : "a\u00e9\n\ud83d\ude00\ud800","cores":8,"phase.\u006coad":5,"flag":true,"odd":{"a":[1,"}"]}}"#,
      #"  {"record":1,"phase.load":6,"version":"x","total":8000000,"cores":2.5}  "#,
    ]
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    #expect(table.count == 2)
    let version = try #require(table.label("version"))
    #expect(version.codes.map(version.text) == ["aé\n😀\u{FFFD}", "x"])
    let cores = try #require(table.label("cores"))
    #expect(cores.codes.map(cores.text) == ["8", "2.5"])
    #expect(table.label("flag").map { $0.codes.map($0.text) } == ["true", ""])
    #expect(table.metric("phase/load")?.values == [5, 6])
    #expect(table.metrics[0].values == [7_000_000, 8_000_000])
  }

  @Test func columnsAndValuesAreBounded() {
    var wide = RecordText(id: 1)
    for number in 0..<5000 {
      wide.add("phase.p\(number)", "1")
      wide.add("label\(number)", "\"x\"")
    }
    let table = FleetReader.table([wide.line], FleetQuestion(labels: .all))
    #expect(table.metrics.count == FleetTableBuilder.mostMetrics && table.labels.count == FleetTableBuilder.mostLabels)
    let census = table.census
    #expect(table.count == 1 && census.droppedColumns + census.droppedMetrics + census.droppedFields > 5000)
    TraceLimits.smaller.withValue(4) {
      var column = LabelColumn("build")
      for number in 0..<LabelColumn.mostValues + 10 { _ = Array("\(number)".utf8).withUnsafeBytes { column.code($0) } }
      #expect(Array("new".utf8).withUnsafeBytes { column.text(column.code($0)) } == "(other)")
      #expect(Array("17".utf8).withUnsafeBytes { column.text(column.code($0)) } == "17")
    }
    #expect(LabelColumn.mostValues == 60_000 && LabelColumn.mostValues < LabelColumn.other)
  }

  /// Each limit has its own sentence, and a column that the question names is beyond none.
  @Test func whatIsBeyondALimitIsNamedAsWhatItIs() throws {
    var wide = RecordText(id: 1)
    for number in 0..<70 { wide.set("meta.m\(number)", "\"x\"") }
    wide.set("meta.long", "\"" + String(repeating: "y", count: 300) + "\"")
    var question = FleetQuestion(labels: .all)
    question.sides = [try FleetFilter(["meta.m69=x"])]
    let table = FleetReader.table([wide.line], question)
    #expect(table.count == 1 && table.label("meta.m69") != nil)
    let dropped = table.census.droppedColumns
    #expect(table.census.sentences == ["\(dropped) columns are left out, because there are more than 64"])
    var options = FleetComparisonOptions(base: try FleetFilter(["a=1"]), head: try FleetFilter(["version=2.0"]))
    (options.mix, options.unit) = (["meta.m68"], "meta.m67")
    let compared = FleetReader.table([wide.line], options.question)
    #expect(compared.label("meta.m68") != nil && compared.label("meta.m67") != nil)
    let cut = FleetReader.table([wide.line], FleetQuestion(labels: .named(["meta.long"])))
    #expect(cut.census.sentences == ["1 value is cut to 256 bytes"])
  }

  /// A program that makes up a key for each launch hides neither the launches of others, nor what is asked about its own.
  @Test func manyKeysOfOthersHideNoKnownKey() throws {
    var junk: [String] = []
    for line in 0..<50 {
      junk.append("{\"record\":1," + (0..<100).map { "\"zz\(line * 100 + $0)\":1" }.joined(separator: ",") + "}")
    }
    let good = (1...50).map { id in
      RecordText(id: id, phases: [("load", id)]).with("meta.k\(id)", "\"x\"").with("milestone.m\(id)", "5").line
    }
    var question = FleetQuestion(labels: .named(["version", "meta.k50"]))
    (question.metrics, question.filter) = (["load", "milestone/m50"], try FleetFilter(["program=notes"]))
    let table = FleetReader.table(junk + good + good, question)
    #expect(table.count == 50 && table.census.duplicates == 50 && table.census.filtered == 50)
    #expect(table.outcomes.allSatisfy { $0 == 0 } && table.metrics[0].values.allSatisfy { $0 == 400_000_000 })
    #expect(table.values(of: "version") == ["2.0"] && table.values(of: "meta.k50") == ["x"])
    #expect(table.metric("phase/load")?.values.last == 50 && table.metric("milestone/m50")?.values.last == 5)
    // All columns are asked for. The known ones of records are found.
    let all = FleetReader.table(
      Array(junk.map { $0.replacing("zz", with: "at.zz") } + good), FleetQuestion(labels: .all))
    #expect(all.label("version") != nil && all.label("program") != nil)
    // Also beyond the greatest number of phases.
    let wide = (0..<300).reduce(RecordText(id: 1)) { $0.with("phase.p\($1)", "7") }.with("phase.load", "8").line
    #expect(FleetReader.table([wide], question).metric("phase/load")?.values == [8])
  }

  /// Also if it comes when all other codes are taken.
  @Test func aValueThatTheQuestionNamesIsFound() throws {
    try TraceLimits.smaller.withValue(4) {
      let lines = (1...LabelColumn.mostValues + 5).map { RecordText(id: $0).with("meta.user", "\"u\($0)\"").line }
      var question = FleetQuestion(labels: .named(["program"]))
      question.filter = try FleetFilter(["meta.user=u\(LabelColumn.mostValues + 5)"])
      let table = FleetReader.table(lines + [RecordText(id: 1 << 20).with("program", "\"other\"").line], question)
      #expect(table.count == 1 && table.census.filtered == lines.count)
      #expect(table.values(of: "program") == ["notes"], "no launch that counts is of another program")
    }
  }

  /// When phases began are times, and use up no columns.
  @Test func theBeginOfAPhaseIsNoColumnUnlessItIsAskedFor() {
    var record = RecordText(id: 1)
    for number in 0..<100 { record.set("at.p\(number)", "7") }
    record.set("meta.last", "\"x\"")
    let table = FleetReader.table([record.line], FleetQuestion(labels: .all))
    #expect(table.labelNames.contains("meta.last") && !table.labelNames.contains { $0.hasPrefix("at.") })
    #expect(table.census.sentences.isEmpty)
    let asked = FleetReader.table([record.line], FleetQuestion(labels: .named(["at.p7"])))
    #expect(asked.labelNames == ["at.p7"])
  }

  @Test func anIDInCapitalsIsNone() {
    let capitals = String(repeating: "A", count: 32)
    let lines = [capitals, capitals, capitals.lowercased(), capitals.lowercased()].map {
      RecordText(id: 1).with("id", "\"\($0)\"").line
    }
    #expect(FleetReader.table(lines, FleetQuestion()).count == 3)
  }

  /// The record of a program that seemed to have died, and its later one.
  @Test func aLaunchThatCompletedDidNotFail() throws {
    let (failed, completed) = (RecordText(id: 7, total: nil), RecordText(id: 7, total: 100_000_000))
    for lines in [[failed, completed], [completed, failed], [failed, completed, failed, completed]] {
      let table = FleetReader.table([RecordText(id: 1, total: nil).line] + lines.map(\.line))
      #expect(table.count == 2 && table.census.duplicates == lines.count - 1)
      #expect((0..<2).map { table.hasFailed($0) } == [true, false])
      #expect(abs(table.metrics[0].values[1] - 100e6) < 10)
    }
  }

  @Test func idsAreKeptWithinABound() {
    var ids = LaunchIDs(most: 5000)
    let all = (1...6000).map { LaunchID(high: UInt64($0), low: 0) }
    #expect(all.allSatisfy { ids.insert($0) })
    #expect(ids.unchecked == 1000)
    #expect(all.prefix(5000).allSatisfy { !ids.insert($0) })
  }

  @Test func moreLaunchesThanAreKeptAreDrawnEvenly() {
    var question = FleetQuestion()
    question.mostLaunches = 2000
    let table = FleetReader.table((1...10_000).map { RecordText(id: $0, total: $0).line }, question)
    #expect(table.count == 2000 && table.census.launches == 10_000 && table.census.drawn == 2000)
    // Of the numbers to 10000: the median of 2000 drawn ones has a standard error of 112.
    let median = table.metrics[0].values.sorted()[1000]
    #expect(abs(median - 5000) < 600)
  }

  @Test(
    arguments: [
      ("2026-11-22T10:00:00.123Z", 1_795_341_600), ("2026-11-22T12:00:00+02:00", 1_795_341_600),
      ("2024-02-29T23:59:60Z", 1_709_251_200), ("1969-12-31T23:59:59Z", -1), ("2026-13-01T00:00:00Z", nil),
      ("2026-02-30T00:00:00Z", nil), ("2025-02-29T00:00:00Z", nil), ("2026-04-31T00:00:00Z", nil),
      ("2026-12-31T23:59:59Z", 1_798_761_599), ("2026-12-32T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil),
      ("2026-11-22", nil), ("2026-11-22T10:00:00", nil), ("2026-11-22T10:00:00.5", nil), ("", nil),
    ] as [(String, Int64?)])
  func timesAreRead(text: String, seconds: Int64?) {
    #expect(Array(text.utf8).withUnsafeBytes { RecordTime.seconds($0) } == seconds)
    if let seconds, seconds > 0 { #expect(CalendarDate.text(seconds / 86_400).hasPrefix(String(text.prefix(4)))) }
  }

  /// A launch that was killed early has no version: it is on no side, and the report says so.
  @Test func failuresOfNoSideAreCounted() throws {
    func record(_ id: Int, _ failed: Bool, _ machine: String) -> String {
      var record = RecordText(id: id, total: failed ? nil : 400_000_000).with("machine", "\"\(machine)\"")
      record.fields.removeAll { $0.0 == "version" }
      return record.line
    }
    // One that is complete, one that another column leaves out, and two that count for nobody.
    let lines = [
      RecordText(id: 1).line, RecordText(id: 2, version: "2.1", total: nil).line, record(3, false, "a"),
      record(4, true, "b"), record(5, true, "a"), record(6, true, "a"),
    ]
    var question = FleetQuestion(labels: .all)
    question.sides = try ["version=2.0", "version=2.1"].map { try FleetFilter([$0]) }
    question.filter = try FleetFilter(["machine=a,machine="])
    let census = FleetReader.table(lines, question).census
    #expect(census.launches == 2 && census.filtered == 4 && census.failedUnknown == 2)
    #expect(census.sentences.contains("2 failed launches have no version, and do not count"), "\(census.sentences)")
    // The fifth launch was not dead, and the sixth one came twice.
    let later = FleetReader.table(lines + [RecordText(id: 5).line, record(6, true, "a")], question).census
    #expect(later.launches == 3 && later.failedUnknown == 1)
    // In either order.
    let earlier = FleetReader.table([RecordText(id: 5).line] + lines, question).census
    #expect(earlier.launches == 3 && earlier.failedUnknown == 1)
    question.sides = []
    question.filter = FleetFilter()
    #expect(FleetReader.table(lines, question).census.failedUnknown == 0)
  }
}
