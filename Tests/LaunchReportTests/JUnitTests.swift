// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchReport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// JUnit reports as CI systems read them: elements and attributes follow Jenkins' schema (junit-10.xsd).
struct JUnitTests {
  @Test(arguments: SampleResults.all.indices) func reportsKeepToTheSchema(place: Int) throws {
    let (name, result, _) = SampleResults.all[place]
    let document = try Document(ComparisonFormat.junit.string(result))
    #expect(document.problems.isEmpty, "\(name): \(document.problems)")
    let suite = try #require(document.elements.first { $0.name == "testsuite" })
    #expect(suite.attributes["name"] == "launchprof")
    for (attribute, element) in [
      ("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
    ] {
      let count = document.elements.count { $0.name == element }
      #expect(suite.attributes[attribute] == "\(count)", "\(name): \(attribute)")
    }
    // Each case has one result.
    let endings = document.elements.count { ["failure", "error", "skipped", "system-out"].contains($0.name) }
    #expect(endings == document.elements.count { $0.name == "testcase" })
  }

  /// Reads a document and records what violates the schema.
  private final class Document: NSObject, XMLParserDelegate {
    struct Element {
      var name: String
      var attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var problems: [String] = []
    private var open: [String] = []

    /// By element: its parent, its required attributes, and its allowed attributes.
    private static let schema: [String: (parent: String, needed: Set<String>, allowed: Set<String>)] = [
      "testsuites": ("", [], ["name", "time", "tests", "failures", "errors"]),
      "testsuite": (
        "testsuites", ["name", "tests", "failures", "errors"], ["skipped", "time", "timestamp", "hostname"]
      ),
      "testcase": ("testsuite", ["name"], ["classname", "time", "group"]),
      "failure": ("testcase", [], ["message", "type"]), "error": ("testcase", [], ["message", "type"]),
      "skipped": ("testcase", [], ["message", "type"]), "system-out": ("testcase", [], []),
    ]

    init(_ text: String) throws {
      super.init()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = self
      if !parser.parse() { problems.append("\(parser.parserError.map { "\($0)" } ?? "is no XML")") }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      if let known = Self.schema[name] {
        if open.last ?? "" != known.parent { problems.append("\(name) in \(open)") }
        let keys = Set(attributes.keys)
        if !keys.isSuperset(of: known.needed) || !keys.isSubset(of: known.needed.union(known.allowed)) {
          problems.append("\(name) has \(keys.sorted())")
        }
      } else {
        problems.append("unknown \(name)")
      }
      elements.append(Element(name: name, attributes: attributes))
      open.append(name)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }
  }
}
