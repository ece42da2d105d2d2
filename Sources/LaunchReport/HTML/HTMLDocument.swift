// SPDX-License-Identifier: Apache-2.0

/// One HTML file with its style, program and data. It makes no requests.
///
/// The data is JSON in `<script type="application/json">` elements, which browsers do not run.
enum HTMLDocument {
  /// The id of the data that every page has.
  static let page = "page-data"

  /// Writes a file with one element of data.
  ///
  /// - Throws: what the sink throws.
  static func write(_ title: String, to sink: any ByteSink, _ data: (inout JSONWriter) -> Void) throws {
    try writeHead(title, to: sink)
    try writeData(page, to: sink, data)
    try writeEnd(to: sink)
  }

  static func writeHead(_ title: String, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    // The hashes allow only this style and this program: no request, no other script, no event attribute.
    writeHead(
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

  /// Writes one element of data.
  static func writeData(_ id: String, to sink: any ByteSink, _ data: (inout JSONWriter) -> Void) throws {
    var output = OutputBuffer(sink)
    output.append("<script type=\"application/json\" id=\"\(id)\">")
    try output.finish()
    try JSONWriter.object(to: sink, layout: .embedded, data)
    output.append("</script>\n")
    try output.finish()
  }

  static func writeEnd(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("<script type=\"module\">")
    output.append(literal: PageSource.script)
    output.append("</script>\n</body>\n</html>\n")
    try output.finish()
  }
}
