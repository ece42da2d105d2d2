// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The words of a trace are defined in Sources/CLaunchSchema/CLaunchSchema.h and nowhere else.
@Suite struct SchemaTests {
  private struct Word {
    /// `KEY`, `CATEGORY`, …
    var group: Substring
    var text: String
  }

  private static let groups = [
    "CATEGORY", "SUBSYSTEM", "EVENT", "POINT", "PHASE", "MILESTONE", "SOURCE", "OUTCOME", "LAUNCH_KIND", "CONTEXT",
    "BUDGET", "STACKS",
    "SET_BY", "PLACE", "READY", "WAIT_STATES", "CLOCK", "GLOBALS", "LOOKUP", "KEY", "DEADLINE", "PATH", "VARIABLE",
  ]

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: PackageRoot.appending(path), encoding: .utf8)
  }

  private static func words() throws -> [Word] {
    try text("Sources/CLaunchSchema/CLaunchSchema.h").matches(of: /#define LS_([A-Z0-9_]+) "([^"]+)"/).map { match in
      let group = try #require(groups.first { match.1.hasPrefix($0 + "_") })
      return Word(group: Substring(group), text: String(match.2))
    }
  }

  private static func words(_ group: Substring) throws -> Set<String> {
    Set(try words().filter { $0.group == group }.map(\.text))
  }

  /// The paths of the sources that write or read traces. Reports, a gate's status and foreign formats have their own
  /// words.
  private static func sources() throws -> [String] {
    let all = try ["Sources", "Agent"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: PackageRoot.appending(folder)).map { "\(folder)/\($0)" }
    }
    return all.filter { path in
      [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
        && !["Sources/CLaunchSchema/", "Sources/LaunchReport/", "Sources/LaunchTrace/Importers/"].contains {
          path.hasPrefix($0)
        } && !path.hasSuffix("/GateResult.swift")
    }
  }

  /// Swift requires literals in these files. Another test compares their values.
  private static let literals = [
    "Sources/LaunchProfiler/Phases/LaunchPhase.swift", "Sources/LaunchObserver/Ready/ReadySignal.swift",
  ]

  @Test func noDefinitionIsLost() throws {
    let lines = try Self.text("Sources/CLaunchSchema/CLaunchSchema.h").split(separator: "\n")
    let definitions = lines.filter { $0.hasPrefix("#define LS_") && $0.contains("\"") }
    let words = try Self.words()
    #expect(words.count == definitions.count && words.count > 200)
    for group in Self.groups {
      let texts = words.filter { $0.group == group }.map(\.text)
      #expect(Set(texts).count == texts.count, "a word of \(group) has two names")
    }
  }

  @Test func noSourceSpellsAWord() throws {
    // A word such as `path` has other uses too. Such words are checked where annotations are written and read.
    let words = Set(try Self.words().map(\.text).filter { $0.contains { "_-. ".contains($0) } })
    for path in try Self.sources() where !Self.literals.contains(path) {
      for literal in try Self.text(path).matches(of: /"([^"\\\n]+)"/) where words.contains(String(literal.1)) {
        Issue.record("\(path) spells \"\(literal.1)\": use its constant of CLaunchSchema")
      }
    }
  }

  @Test func annotationsAreWrittenAndReadByConstants() throws {
    let written = /\b(lr_annotate_\w+|lr_event_name|lr_write_mark|lr_write_slice_begin)\([^"\n;]*"/
    let row = /\("[\w ]+", \.(string|uint|int|bool|array|pointer|double)\(/
    let read = /\.(integer|strings|dictionaries|bool|double)\("|strings\.id\(of: "/
    for path in try Self.sources() {
      // Regular expressions are slow, and most lines have none of these.
      for line in try Self.text(path).split(separator: "\n")
      where line.contains("(\"") || line.contains("lr_") || line.contains("strings.id") {
        for match in line.matches(of: written) { Issue.record("\(path): \(match.0)") }
        for match in line.matches(of: row) { Issue.record("\(path): \(match.0)") }
        for match in line.matches(of: read) { Issue.record("\(path): \(match.0)") }
        guard path.hasPrefix("Sources/LaunchAnalysis/") else { continue }
        for match in line.matches(of: /\.string\("/) { Issue.record("\(path): \(match.0)") }
      }
    }
  }

  @Test func literalsThatSwiftAsksForAreTheSchemas() throws {
    let phases = try Self.text(Self.literals[0])
    #expect(
      try Set(phases.matches(of: /LaunchPhase\("([^"]+)"\)/).map { String($0.1) }).isSubset(of: Self.words("PHASE")))
    #expect(
      try Set(phases.matches(of: /LaunchMilestone\("([^"]+)"\)/).map { String($0.1) })
        .isSubset(of: Self.words("MILESTONE")))
    let signals = try Self.text(Self.literals[1]).matches(of: /case \w+ = "([^"]+)"/).map { String($0.1) }
    #expect(try !signals.isEmpty && Set(signals).isSubset(of: Self.words("MILESTONE")))
    // The cases of an enumeration.
    let timeline = try Self.text("Sources/LaunchAnalysis/Timeline/LaunchTimeline.swift")
    let cases = try #require(timeline.firstMatch(of: /enum Source: String, Sendable, Codable \{\n  case ([\w, ]+)\n/))
    #expect(try Set(cases.1.split(separator: ", ").map(String.init)) == Self.words("SOURCE"))
    func reasons(_ file: String) throws -> Set<String> {
      let text = try Self.text("Sources/LaunchLifecycle/Reasons/\(file).swift")
      return Set(text.matches(of: /\n  case (\w+)(?=\n)/).map { String($0.1) })
    }
    #expect(try reasons("LaunchKind") == Self.words("LAUNCH_KIND").subtracting(["page-cache cold"]))
    #expect(try reasons("LaunchContext") == Self.words("CONTEXT"))
  }

  @Test func thePageOfTheFormatHasEveryWord() throws {
    let page = try Self.text("docs/trace-format.md")
    for word in try Self.words() where !page.contains("`\(word.text)`") {
      Issue.record("docs/trace-format.md does not say what \(word.group) `\(word.text)` means")
    }
  }

  @Test func thePageOfTheFormatHasNoOtherWord() throws {
    let page = try Self.text("docs/trace-format.md")
    func firstColumn(after heading: String) throws -> [String] {
      let start = try #require(page.range(of: "\n\(heading)")).upperBound
      let table = page[start...].drop { $0 != "|" }.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("|") }
      return table.flatMap { row in
        row.split(separator: "|").first.map { $0.matches(of: /`(\w+)`/).map { String($0.1) } } ?? []
      }
    }
    for heading in ["### `recorder`", "### `launcher`"] {
      let keys = try firstColumn(after: heading)
      #expect(try keys.count > 10 && Set(keys).subtracting(Self.words("KEY")).isEmpty)
    }
    #expect(try Set(firstColumn(after: "## Environment")) == Self.words("VARIABLE"))
    let categories = Set(page.matches(of: /`(launchprof[\.\/][a-z-]+)`/).map { String($0.1) })
    #expect(try categories == Self.words("CATEGORY"))
  }
}
