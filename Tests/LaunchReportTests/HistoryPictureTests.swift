// SPDX-License-Identifier: Apache-2.0

import LaunchReport
import TestSupport
import Testing

@testable import LaunchAnalysis

struct HistoryPictureTests {
  /// A store may have been damaged.
  @Test(arguments: [-9e18, 0, 9e18]) func extremeValuesAreDrawn(total: Double) throws {
    var measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    measurement.values[.total] = total
    let row = HistoryRow(
      id: 1, added: 1, key: HistoryKey(program: "p", machine: "m", configuration: "c"), commit: "a",
      measurement: measurement)
    let series = HistorySeries(.total, of: [row])
    let sink = MemorySink()
    try HistorySVG(series, changes: []).write(to: sink)
    try HistoryText(series, changes: [], options: ComparisonReportOptions()).write(to: sink)
    #expect(String(decoding: sink.bytes, as: UTF8.self).contains("</svg>"))
  }

  @Test func everyFormatNamesTheProgram() throws {
    let measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    func text(machine: String, _ write: (HistorySeries, MemorySink) throws -> Void) throws -> String {
      let key = HistoryKey(program: "notes", machine: machine, configuration: "release")
      let sink = MemorySink()
      try write(
        HistorySeries(.total, of: [HistoryRow(id: 1, added: 1, key: key, commit: "a", measurement: measurement)]), sink)
      return String(decoding: sink.bytes, as: UTF8.self)
    }
    for (machine, title) in [("m", "notes on m, release"), ("", "notes, release")] {
      let plain = try text(machine: machine) {
        try HistoryText($0, changes: [], options: ComparisonReportOptions()).write(to: $1)
      }
      #expect(plain.hasPrefix("\(title)\ntotal by commit, "))
      #expect(plain.hasSuffix("\n  █: the median; ░: up to p90; in brackets: launches\n"))
      #expect(
        try text(machine: machine) { try HistorySVG($0, changes: []).write(to: $1) }.contains(">\(title): total<"))
      #expect(try text(machine: machine) { try HistoryPage($0, changes: []).write(to: $1) }.contains("\"\(title)\""))
    }
  }

  /// They have no point, and were not mentioned.
  @Test func commitsThatNeverReachAMilestoneAreSaid() throws {
    func text(_ drawn: [Bool]) throws -> (plain: String, page: String, picture: String) {
      let rows = try zip("abcdef", drawn).map { commit, isDrawn in
        var launch = SampleLaunch.server()
        if isDrawn { launch.mark("drawn", at: 1_000_000) }
        return HistoryRow(
          id: 1, added: 1, key: HistoryKey(program: "p", machine: "m", configuration: "c"), commit: String(commit),
          measurement: try #require(Measurement.all(LaunchSet([LaunchTimeline(trace: launch.trace())])).first))
      }
      let series = HistorySeries(Metric(.milestone, ["drawn"]), of: rows)
      let (text, page, picture) = (MemorySink(), MemorySink(), MemorySink())
      try HistoryText(series, changes: [], options: ComparisonReportOptions()).write(to: text)
      try HistoryPage(series, changes: []).write(to: page)
      try HistorySVG(series, changes: []).write(to: picture)
      return (
        String(decoding: text.bytes, as: UTF8.self), String(decoding: page.bytes, as: UTF8.self),
        String(decoding: picture.bytes, as: UTF8.self)
      )
    }
    for (drawn, sentence, line) in [
      ([true, true, false], "The latest commit, c, has no launch with milestone drawn.", "c (the latest)."),
      (
        [true, false, false],
        "The latest commit, c, has no launch with milestone drawn. 1 earlier commit has none either.",
        "c (the latest), b."
      ),
      ([true, false, true], "1 commit has no launch with milestone drawn, so the series does not show it.", "b."),
      (
        [false, false, false, false, false, true],
        "5 commits have no launch with milestone drawn, so the series does not show them.", "e, d, c and 2 more."
      ),
    ] {
      let found = try text(drawn)
      let plain = found.plain.split { " \n".contains($0) }.joined(separator: " ")
      #expect(plain.contains(sentence) && found.page.contains(sentence))
      #expect(found.picture.contains(">Not measured: \(line)</text>"), "\(found.picture)")
    }
    let all = try text([true, true])
    #expect(!all.page.contains("has no launch") && !all.picture.contains("Not measured"))
  }

  /// Names that are no ids are of branches and builds. They were cut to the same text.
  @Test func namesOfCommitsStayDifferent() throws {
    let measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    let commits =
      ["release-candidate-1", "release-candidate-with-a-long-name-1", "release-candidate-with-a-long-name-2"]
      + [String(repeating: "d", count: 40), String(repeating: "漢", count: 2000) + "字"]
    let rows = commits.map { commit in
      HistoryRow(
        id: 1, added: 1, key: HistoryKey(program: "p", machine: "m", configuration: "c"), commit: commit,
        measurement: measurement)
    }
    func names(ascii: Bool, columns: Int = 80) throws -> [String] {
      let sink = MemorySink()
      var options = ComparisonReportOptions()
      options.ascii = ascii
      options.width = columns
      try HistoryText(HistorySeries(.total, of: rows), changes: [], options: options).write(to: sink)
      return String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n").dropFirst(2).compactMap {
        $0.split(separator: " ").first.map(String.init)
      }.dropLast()
    }
    #expect(
      try names(ascii: false) == [
        "release-candidate-1", "release-cand…long-name-1", "release-cand…long-name-2", "dddddddddddd", "漢漢漢漢漢漢…漢漢漢漢字",
      ])
    #expect(try names(ascii: true).prefix(2) == ["release-candidate-1", "release-can...ong-name-1"])
    // On a narrow page, the bars keep their room.
    #expect(try names(ascii: false, columns: 60).prefix(2) == ["release-candidate-1", "release-c…ng-name-1"])
    let sink = MemorySink()
    try HistorySVG(HistorySeries(.total, of: Array(rows[1...2])), changes: []).write(to: sink)
    #expect(
      String(decoding: sink.bytes, as: UTF8.self)
        .contains(">2 commits, release-cand…long-name-1 to release-cand…long-name-2. Line"))
  }

  /// Changes at both ends and side by side, and values with many digits: no label leaves the picture or lies on another.
  @Test func labelsAreInsideAndApart() throws {
    var measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    let key = HistoryKey(program: "p", machine: "m", configuration: "c")
    let rows = (0..<30).map { commit in
      measurement.values[.total] = 12_345_670_000
      return HistoryRow(
        id: Int64(commit), added: Int64(commit), key: key, commit: "commit-\(100_000 + commit)",
        measurement: measurement)
    }
    let changes = [0, 1, 14, 15, 28, 29].map { place in
      HistorySeries.Change(
        place: place, places: place...place, probabilities: [1], levels: .init(before: 100, after: 125))
    }
    let sink = MemorySink()
    try HistorySVG(HistorySeries(.total, of: rows), changes: changes).write(to: sink)
    let picture = String(decoding: sink.bytes, as: UTF8.self)
    var boxes: [(x: ClosedRange<Double>, y: Double)] = []
    for match in picture.matches(of: /<text x="([0-9.]+)" y="([0-9.]+)"([^>]*)>([^<]*)</) {
      let (x, y) = (try #require(Double(match.1)), try #require(Double(match.2)))
      let length = Double(match.4.count) * 7
      boxes.append((match.3.contains("anchor=\"end\"") ? (x - length)...x : x...(x + length), y))
    }
    // The title, the caption, the axis.
    #expect(boxes.count == 2 + 3 + changes.count)
    #expect(picture.contains(">30 commits, commit-100000 to commit-100029. Line: the median. Band: p10 to p90.<"))
    #expect(picture.matches(of: />([0-9.]+) ms</).compactMap { Double($0.1) } == [0, 5000, 10_000])
    for (place, box) in boxes.enumerated() {
      #expect(box.x.lowerBound >= 0 && box.x.upperBound <= 900 && box.y < 320)
      #expect(!boxes[..<place].contains { $0.y == box.y && $0.x.overlaps(box.x) })
    }
  }
}
