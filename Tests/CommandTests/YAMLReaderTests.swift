// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import launchprof

struct YAMLReaderTests {
  /// The tree as text: quoted scalars, lists in brackets, mappings in braces.
  private func tree(_ text: String) throws(YAMLError) -> String? { try YAMLReader.document(text).map(shape) }

  private func shape(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text): "'\(text)'"
    case .sequence(let nodes): "[\(nodes.map(shape).joined(separator: " "))]"
    case .mapping(let entries): "{\(entries.map { "\(shape($0.key)):\(shape($0.value))" }.joined(separator: " "))}"
    }
  }

  private func failure(_ text: String) -> String? {
    do throws(YAMLError) {
      _ = try YAMLReader.document(text)
      return nil
    } catch { return "\(error.place.line):\(error.place.column): \(error.message)" }
  }

  @Test(
    arguments: [
      ("", nil), ("# a comment\n", nil), ("---\n...\n", "''"), ("a", "'a'"),
      ("a: 1\nb: [x, \"y z\", 'it''s']\n", "{'a':'1' 'b':['x' 'y z' 'it's']}"),
      ("- - a\n  - b\n- {c: d}\n", "[['a' 'b'] {'c':'d'}]"),
      ("a: |\n  one\n  two\nb: >\n  one\n  two\n", "{'a':'one\ntwo\n' 'b':'one two\n'}"),
      ("a: \"\\u00e9\\0\\n\"\n", "{'a':'é\0\n'}"), ("a:\nb: ~\n", "{'a':'' 'b':'~'}"),
      ("a: !!int \"3\"\n", "{'a':'3'}"), ("\u{feff}a: b\n", "{'a':'b'}"),
      ("\u{feff}a: b\r\nc:\r\n  d: e\r\n", "{'a':'b' 'c':{'d':'e'}}"),
      ("%YAML 1.1\n---\na: b\n", "{'a':'b'}"),
    ] as [(String, String?)])
  func whatIsRead(text: String, expected: String?) throws { #expect(try tree(text) == expected) }

  @Test func anAliasIsTheValueOfItsAnchor() throws {
    #expect(
      try tree("a: &x {b: 1}\nc: *x\nd: [*x, &x 2, *x]\n") == "{'a':{'b':'1'} 'c':{'b':'1'} 'd':[{'b':'1'} '2' '2']}")
  }

  @Test func aValueKnowsItsPlace() throws {
    let root = try #require(try YAMLReader.document("é: 1\nlist:\n  - {k: v}\n"))
    guard case .mapping(let entries) = root.content, case .sequence(let items) = entries[1].value.content,
      case .mapping(let inner) = items[0].content
    else {
      Issue.record("\(root)")
      return
    }
    let places = [root, entries[0].value, entries[1].key, items[0], inner[0].value].map(\.place)
    #expect(places.map(\.line) == [1, 1, 2, 3, 3] && places.map(\.column) == [1, 4, 1, 5, 9])
    #expect(root.size == 8)
  }

  @Test(arguments: [
    ("a: 1\nb: 2\na: 3\n", "3:1: the key a appears twice"),
    ("a: 1\n---\nb: 2\n", "2:1: a second document begins here; only one is read"),
    ("a: [*x]\n", "1:5: is not YAML: no anchor &x comes before this alias"),
    ("a: &x [*x]\n", "1:8: is not YAML: no anchor &x comes before this alias"),
    ("é: 'x\n", "2:1: is not YAML: found unexpected end of stream"),
    ("a: é\nb: é\u{1}\n", "2:5: is not YAML: control characters are not allowed"),
    ("a:\n\tb: 1\n", "2:1: is not YAML: found character that cannot start any token"),
  ])
  func whatIsWrongHasAPlace(text: String, message: String) { #expect(failure(text) == message) }

  /// Swift Testing prints arguments, and these are long.
  struct HostileText: CustomTestStringConvertible {
    let text: String
    let message: String
    var testDescription: String { "\(text.prefix(12).debugDescription)…: \(message)" }
  }

  /// Each would be a tree of millions of values, or be very deep.
  private static let hostile = [
    ((0..<40).map { "a\($0): &a\($0) [\($0 == 0 ? "x" : "*a\($0 - 1), *a\($0 - 1)")]\n" }.joined(), "100000 values"),
    (
      "a: &a [\(String(repeating: "x, ", count: 2000))]\nb: [\(String(repeating: "*a, ", count: 2000))]\n",
      "100000 values"
    ),
    ("[" + String(repeating: "x, ", count: 200_000) + "]", "100000 values"),
    (String(repeating: "[", count: 500_000), "64 levels"), (String(repeating: "{a: ", count: 200_000), "64 levels"),
    (String(repeating: "- ", count: 300_000), "64 levels"), (String(repeating: "? ", count: 300_000), "64 levels"),
    (String(repeating: "a:\n", count: 300_000), "appears twice"),
    ("a: \"" + String(repeating: "x", count: 1 << 20), "unexpected end"),
  ].map { HostileText(text: $0, message: $1) }

  @Test(arguments: hostile) func aHostileTextIsRefused(_ hostile: HostileText) throws {
    let found = try #require(failure(hostile.text))
    #expect(found.contains(hostile.message), "\(found)")
  }

  /// Whatever the bytes are: a tree, or an error with a place in the text.
  @Test func damagedTextsDoNoHarm() throws {
    let path = PackageRoot.appending("Tests/Fixtures/versions/budgets-1.yml")
    let sample = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SeededGenerator(seed: 9)
    var refused = 0
    for _ in 0..<3000 {
      var text = sample
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        let pieces = [
          "*a", "&a ", "{", "[", "]", "}", ":", "- ", "? ", "\t", "\"", "'", "|", ">", "%", "!", "\n", "\u{85}", "#",
        ]
        text.replaceSubrange(place..<place, with: Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8))
      }
      let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).count
      do throws(YAMLError) { _ = try YAMLReader.document(String(decoding: text, as: UTF8.self)) } catch {
        #expect((1...lines + 8).contains(error.place.line) && error.place.column >= 1, "\(error)")
        refused += 1
      }
    }
    #expect((1..<3000).contains(refused), "both happen")
  }
}
