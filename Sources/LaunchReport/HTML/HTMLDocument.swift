// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One HTML file with its style, program and data. It makes no requests.
///
/// The data is JSON in `<script type="application/json">` elements, which browsers do not run.
struct HTMLDocument {
  /// One element of data.
  struct Part {
    var id: String
    var write: (inout JSONWriter) -> Void
  }

  let title: String
  let parts: [Part]

  /// A comparison or a gate's result.
  static func comparison(_ result: GateResult, options: ComparisonReportOptions) -> HTMLDocument {
    let page = PageComparison(result: result, options: options)
    return HTMLDocument(title: page.title, parts: [Part(id: PartName.page) { page.write(to: &$0) }])
  }

  /// The gravest scenario, with the verdicts of all of them.
  static func suite(_ suite: GateSuite, options: ComparisonReportOptions) -> HTMLDocument {
    guard var result = suite.results.first(where: { $0.status == suite.status }) else {
      return comparison(GateResult(comparison: nil, launches: []), options: options)
    }
    let rows = suite.results.map { "\(suite.noun) \($0.scenario ?? ""): \(ComparisonSentences($0).headline)" }
    result.notes = rows + ["this page shows the \(suite.noun) \(result.scenario ?? "")"] + result.notes
    result.unchecked = suite.unchecked + result.unchecked
    return comparison(result, options: options)
  }

  enum PartName {
    /// The parts of every page.
    static let page = "page-data"
    static func launch(_ number: Int) -> String { "launch-\(number)" }
  }

  /// - Throws: what the sink throws.
  func write(to sink: any ByteSink) throws {
    try writeHead(to: sink)
    for part in parts { try Self.write(part, to: sink) }
    try Self.writeEnd(to: sink)
  }

  func writeHead(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    // The hashes allow only this style and this program: no request, no other script, no event attribute.
    Self.writeHead(
      title, policy: "script-src '\(PageSource.scriptHash)'; style-src '\(PageSource.styleHash)'",
      style: PageSource.style, to: &output)
    output.append("<noscript>This page needs JavaScript to draw the report. ")
    output.append(
      "To read it as text, run the same launchprof command without HTML.</noscript>\n<div id=\"page\"></div>\n")
    try output.finish()
  }

  /// The beginning of a page.
  ///
  /// - Parameter policy: what it may do. It loads nothing.
  static func writeHead(_ title: String, policy: String, style: StaticString, to output: inout OutputBuffer) {
    output.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    output.append(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \(policy); base-uri 'none'; "
        + "form-action 'none'\">\n")
    output.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    output.append(
      "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"launchprof\">\n")
    output.append("<title>\(XMLText.escaped(title))</title>\n<style>")
    output.append(literal: style)
    output.append("</style>\n</head>\n<body>\n")
  }

  static func write(_ part: Part, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("<script type=\"application/json\" id=\"\(part.id)\">")
    try output.finish()
    try JSONWriter.object(to: sink, layout: .embedded) { part.write(&$0) }
    var end = OutputBuffer(sink)
    end.append("</script>\n")
    try end.finish()
  }

  static func writeEnd(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("<script type=\"module\">")
    output.append(literal: PageSource.script)
    output.append("</script>\n</body>\n</html>\n")
    try output.finish()
  }
}
