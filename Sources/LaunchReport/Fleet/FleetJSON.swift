// SPDX-License-Identifier: Apache-2.0

/// A document as JSON: docs/fleets.md. Times are ns.
struct FleetJSON {
  /// Raised when a member changes its meaning or goes; new members do not raise it.
  static let schemaVersion = 1

  let document: FleetDocument
  let ascii: Bool

  func write(to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink, ascii: ascii) { json in
      json.values(["schemaVersion": Self.schemaVersion, "title": document.title, "status": document.status])
      for fact in document.facts { Self.write(fact.value, fact.name, to: &json) }
      json.texts("sentences", document.sentences.map(\.text))
      for sheet in document.sheets(for: .programs) {
        json.objects(sheet.id, sheet.rows) { Self.write($1, sheet.columns, to: &$0) }
      }
      json.texts("notes", document.notes(for: .programs))
    }
  }

  private static func write(_ row: [FleetSheet.Cell], _ columns: [FleetSheet.Column], to json: inout JSONWriter) {
    for (cell, column) in zip(row, columns) { write(cell, column.id, to: &json) }
  }

  private static func write(_ cell: FleetSheet.Cell, _ key: String, to json: inout JSONWriter) {
    switch cell {
    case .none: break
    case .word(let text), .metric(let text): json.value(key, text)
    case .flag(let isTrue): json.value(key, isTrue)
    case .verdict(let text, _): json.value(key, text.replacing(" ", with: "-"))
    case .count(let value), .time(let value): json.value(key, ComparisonNumbers.whole(value))
    case .quantile(let value, _): bounds(key, value.estimate, value.lower, value.upper, to: &json)
    case .share(let value), .limitedShare(let value, _):
      bounds(key, value.estimate, value.lower, value.upper, to: &json)
    case .change(let value): json.value(key, value)
    case .changeRange(let lower, let upper): bounds(key, nil, lower, upper, to: &json)
    }
  }

  private static func bounds(
    _ key: String, _ estimate: Double?, _ lower: Double, _ upper: Double, to json: inout JSONWriter
  ) {
    json.object(key) { $0.values(["estimate": estimate, "lower": lower, "upper": upper]) }
  }
}
