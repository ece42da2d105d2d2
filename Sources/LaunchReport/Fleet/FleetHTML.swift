// SPDX-License-Identifier: Apache-2.0

/// A document as one HTML file without a program: tables, and bars for what can be compared by eye.
struct FleetHTML {
  private let document: FleetDocument
  private let cells: FleetCellText

  init(_ document: FleetDocument) {
    self.document = document
    cells = FleetCellText(numbers: ComparisonNumbers(times: document.times, ascii: false))
  }

  private static let style: StaticString = """
    :root{--bg:#fff}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;
    color:#1b1f24;background:var(--bg)}
    h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}.wide{overflow-x:auto;position:relative;
    background:linear-gradient(var(--bg) 0 0) left/14px 100% no-repeat local,
    linear-gradient(var(--bg) 0 0) right/14px 100% no-repeat local,
    linear-gradient(to right,#8c959f,transparent) left/10px 100% no-repeat,
    linear-gradient(to left,#8c959f,transparent) right/10px 100% no-repeat}table{border-collapse:collapse;width:100%}
    th,td{padding:.25rem .6rem;border-bottom:1px solid #d8dee4;text-align:right;vertical-align:top;white-space:nowrap}
    th:first-child,td:first-child,td.word{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:9rem}
    th{color:#57606a;font-weight:600;white-space:normal;vertical-align:bottom}td small{display:block;color:#57606a}.good{color:#1a7f37}.bad{color:#b42318;font-weight:600}
    svg{display:block;height:6px;width:100%;min-width:4rem}rect{fill:#1f5f99}.notes{color:#57606a;font-size:.9rem}
    h1,p,li{overflow-wrap:anywhere}tbody th{color:inherit;font-weight:400;vertical-align:top}
    .hidden{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
    @media print{.wide{overflow:visible;background:none}}
    @media screen and (prefers-color-scheme:dark){:root{--bg:#0d1117}body{color:#e6edf3}th,td{border-color:#30363d}
    th,td small,.notes{color:#9198a1}.good{color:#3fb950}.bad{color:#ff7b72}rect{fill:#6cb6ff}}
    """

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    // Nothing runs.
    HTMLDocument.writeHead(document.title, policy: "style-src 'unsafe-inline'", style: Self.style, to: &output)
    output.append("<main>\n<h1>\(XMLText.escaped(document.title))</h1>\n")
    for sentence in document.sentences {
      output.append("<p class=\"\(sentence.ink)\">\(XMLText.escaped(sentence.text))</p>\n")
    }
    for sheet in document.sheets(for: .people) where !sheet.rows.isEmpty { write(sheet, to: &output) }
    output.append("<ul class=\"notes\">\n")
    for note in document.notes(for: .people) { output.append("<li>\(XMLText.escaped(note))</li>\n") }
    output.append("</ul>\n</main>\n</body>\n</html>\n")
    try output.finish()
  }

  private func write(_ sheet: FleetSheet, to output: inout OutputBuffer) {
    let title = XMLText.escaped(cells.title(sheet))
    // Without a mouse, a person scrolls what has the focus.
    output.append("<h2>\(title)</h2>\n<div class=\"wide\" role=\"region\" aria-label=\"\(title)\" tabindex=\"0\">")
    output.append("<table>\n<thead><tr>")
    for column in sheet.columns {
      let heading = XMLText.escaped(column.heading)
      let name = heading.isEmpty ? "<span class=\"hidden\">\(XMLText.escaped(column.id))</span>" : heading
      output.append("<th scope=\"col\">\(name)</th>")
    }
    output.append("</tr></thead>\n<tbody>\n")
    // One scale for a column, so that its bars compare.
    let longest = sheet.columns.indices.map { place in sheet.rows.compactMap { Self.size($0[place]) }.max() ?? 0 }
    for row in sheet.rows {
      output.append("<tr>")
      for (place, cell) in row.enumerated() { write(cell, isFirst: place == 0, longest: longest[place], to: &output) }
      output.append("</tr>\n")
    }
    output.append("</tbody></table></div>\n")
  }

  private static func size(_ cell: FleetSheet.Cell) -> Double? {
    if case .quantile(let quantile, _) = cell { quantile.estimate } else { nil }
  }

  /// - Parameter isFirst: the cell says what its row is about.
  private func write(_ cell: FleetSheet.Cell, isFirst: Bool, longest: Double, to output: inout OutputBuffer) {
    var kind = ""
    switch cell {
    case .word, .metric: kind = " class=\"word\""
    case .verdict(_, let ink): kind = " class=\"\(ink)\""
    default: break
    }
    output.append(isFirst ? "<th scope=\"row\"\(kind)>" : "<td\(kind)>")
    output.append(XMLText.escaped(cells.main(cell)))
    let interval = cells.interval(cell)
    if !interval.isEmpty { output.append("<small>\(XMLText.escaped(interval))</small>") }
    if let size = Self.size(cell), longest > 0, size.isFinite {
      let permille = max(1, Int((size / longest * 1000).rounded()))
      output.append(
        "<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
          + "<rect width=\"\(permille)\" height=\"10\"/></svg>")
    }
    output.append(isFirst ? "</th>" : "</td>")
  }
}
