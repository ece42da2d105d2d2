// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// Whatever a name contains, reports are well formed and escape it.
struct HostileNameTests {
  private func launches(_ body: (LaunchSet, inout SeededGenerator) throws -> Void, label: String) rethrows {
    var random = SeededGenerator(label)
    for _ in 0..<40 {
      let timelines = (0..<Int.random(in: 1...2, using: &random)).map { _ in HostileNames.launch(&random) }
      try body(LaunchSet(timelines, names: timelines.map { _ in HostileNames.random(&random) }), &random)
    }
  }

  @Test func csvIsRFC4180AndNoCellIsAFormula() {
    launches(
      { launches, random in
        for rows in ReportOptions.Rows.allCases {
          var options = ReportOptions()
          options.rows = rows
          options.mainThreadOnly = Bool.random(using: &random)
          let text = ReportFormat.csv.string(launches, options: options)
          guard let table = CSVTable(text) else { return #expect(Bool(false), "not RFC 4180: \(text)") }
          #expect(table.rows.allSatisfy { $0.count == table.header.count })
          for cell in table.rows.joined() {
            #expect(!isControlled(cell), "\(cell.debugDescription)")
            let isNumber = Int64(cell) != nil
            #expect(
              isNumber
                || !["=", "+", "-", "@", "＝", "＋", "－", "＠"].contains(cell.unicodeScalars.first.map(String.init)))
          }
        }
      }, label: "csv")
  }

  @Test func jsonIsJSONAndNamesComeBack() throws {
    try launches(
      { launches, random in
        var options = ReportOptions()
        options.ascii = Bool.random(using: &random)
        let text = ReportFormat.json.string(launches, options: options)
        #expect(!isControlled(text.replacing("\n", with: "")))
        if options.ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let read = object?["launches"] as? [[String: Any]] ?? []
        #expect(read.count == launches.launches.count)
        for (read, launch) in zip(read, launches.launches) {
          let flame = read["flame"] as? [[String: Any]] ?? []
          let names = (0..<launch.timeline.flame.count).map { launch.timeline.flame.name(of: $0) }
          // Compares bytes, because String's == treats canonically equal names as equal.
          #expect(flame.map { ($0["name"] as? String ?? "").utf8.map(\.self) } == names.map { $0.utf8.map(\.self) })
        }
      }, label: "json")
  }

  /// The numbers in folded stacks. Works on bytes, because a name may combine with adjacent text into one Character.
  private func weights(_ text: String) -> [Int64?] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { line in
      line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).last.flatMap { Int64(Substring($0)) }
    }
  }

  @Test func foldedLinesAreAStackAndANumber() {
    launches(
      { launches, _ in
        let text = ReportFormat.folded.string(launches)
        #expect(weights(text).allSatisfy { $0 ?? 0 > 0 })
        for line in text.split(separator: "\n") { #expect(!isControlled(String(line))) }
      }, label: "folded")
  }

  @Test func foldedSumsToTheFlameTree() throws {
    var random = SeededGenerator()
    for _ in 0..<40 {
      let timeline = HostileNames.launch(&random)
      let sum = weights(ReportFormat.folded.string(LaunchSet([timeline]))).reduce(0) { $0 + ($1 ?? 0) }
      #expect(sum == timeline.flame.roots.reduce(0) { $0 + timeline.flame.total[$1] })
    }
  }

  @Test func textFitsAndHasNoControls() {
    launches(
      { launches, random in
        var options = ReportOptions()
        options.width = Int.random(in: 30...140, using: &random)
        options.ascii = Bool.random(using: &random)
        options.sort = Bool.random(using: &random) ? .time : .start
        options.minPercent = [0, 0.5, 20].randomElement(using: &random) ?? 0
        options.depth = [nil, 0, 1, 3].randomElement(using: &random) ?? nil
        options.mainThreadOnly = Bool.random(using: &random)
        expectLines(ReportFormat.text.string(launches, options: options), options: options)
        var colored = options
        colored.color = true
        let plain = ReportFormat.text.string(launches, options: options)
        let painted = ReportFormat.text.string(launches, options: colored)
        #expect(trimmed(withoutColor(painted)) == trimmed(plain))
        for line in ReportFormat.markdown.string(launches, options: options).split(separator: "\n") {
          #expect(!isControlled(withoutIsolates(String(line))))
        }
      }, label: "text")
  }

  private func withoutColor(_ text: String) -> String {
    text.replacing(/\x{1B}\[[0-9;]+m/.matchingSemantics(.unicodeScalar), with: "")
  }

  /// Lines without trailing spaces, which the renderer cannot remove inside colours.
  private func trimmed(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      Array(line.reversed().drop { $0 == UInt8(ascii: " ") }.reversed())
    }
  }

  /// An apostrophe with an accent is another Character, but a shell sees the apostrophe.
  @Test func noNameLeavesItsQuotesInAShell() {
    let word = CommandText.quoted("a'\u{301};b")
    #expect(Array(word.unicodeScalars) == Array("'a'\\''\u{301};b'".unicodeScalars))
    #expect(CommandText.quoted("it's") == #"'it'\''s'"# && CommandText.quoted("plain-name") == "plain-name")
  }

  @Test func escapedNamesCanBeToldApart() {
    var random = SeededGenerator()
    // Compares bytes, because String's == treats canonically equal names as equal.
    var seen: [[UInt8]: String] = [:]
    for _ in 0..<5000 {
      let name = HostileNames.random(&random)
      let escaped = Array(PlainName.escaped(name, .pathSeparator).utf8)
      if let other = seen[escaped] { #expect(Array(other.unicodeScalars) == Array(name.unicodeScalars)) }
      seen[escaped] = name
    }
  }
}

/// The text without the pairs of characters that isolate words from right to left.
func withoutIsolates(_ text: String) -> String {
  var scalars = String.UnicodeScalarView()
  var isOpen = false
  for scalar in text.unicodeScalars {
    if scalar == (isOpen ? "\u{2069}" : "\u{2068}") { isOpen.toggle() } else { scalars.append(scalar) }
  }
  return String(scalars) + (isOpen ? "\u{2068}" : "")
}

/// True for text that could control a terminal.
func isControlled(_ text: String) -> Bool {
  text.unicodeScalars.contains { scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }
}
