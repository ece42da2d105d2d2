// SPDX-License-Identifier: Apache-2.0

/// A document for a pull request or a job's summary.
struct FleetMarkdown {
  private let document: FleetDocument
  private let cells: FleetCellText

  init(_ document: FleetDocument, ascii: Bool) {
    self.document = document
    cells = FleetCellText(numbers: ComparisonNumbers(times: document.times, ascii: ascii))
  }

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("### \(MarkdownRenderer.escaped(document.title))\n\n")
    for sentence in document.sentences {
      let text = MarkdownRenderer.escaped(sentence.text)
      output.append(sentence.ink == .bad ? "- **\(text)**\n" : "- \(text)\n")
    }
    for sheet in document.sheets(for: .people) where !sheet.rows.isEmpty {
      output.append("\n#### \(MarkdownRenderer.escaped(cells.title(sheet)))\n\n")
      output.append(MarkdownRenderer.row(sheet.columns.map { $0.heading }))
      output.append("|---" + String(repeating: "|---:", count: sheet.columns.count - 1) + "|\n")
      for cells in sheet.rows.prefix(sheet.mostRows) {
        output.append(
          MarkdownRenderer.row(
            cells.map { cell in
              let interval = self.cells.interval(cell)
              return self.cells.main(cell) + (interval.isEmpty ? "" : " (\(interval))")
            }))
      }
      if let rest = sheet.rest { output.append("\n\(MarkdownRenderer.escaped(rest))\n") }
    }
    let notes = document.notes(for: .people)
    if !notes.isEmpty {
      output.append("\n" + notes.map(MarkdownRenderer.escaped).joined(separator: " · ") + "\n")
    }
    try output.finish()
  }
}
