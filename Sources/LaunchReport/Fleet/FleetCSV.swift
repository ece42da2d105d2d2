// SPDX-License-Identifier: Apache-2.0

/// Tables of a document as CSV (RFC 4180), times in ns: each table with the names of its columns, and an empty line between
/// tables. The tables and columns of a command are always the same, also without rows.
struct FleetCSV {
  let document: FleetDocument

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    for (place, sheet) in document.sheets(for: .programs).enumerated() {
      if place > 0 { output.append(CSVField.lineEnd) }
      let heads = sheet.columns.flatMap { Self.fields($0.shape, $0.id, $0.id + "_lower", $0.id + "_upper") }
      output.append(CSVField.row(heads.map(CSVField.text)))
      for row in sheet.rows {
        output.append(CSVField.row(zip(row, sheet.columns).flatMap { Self.fields($0, $1.shape) }))
      }
    }
    try output.finish()
  }

  private static func fields(
    _ shape: FleetSheet.Column.Shape, _ value: String, _ lower: String = "", _ upper: String = ""
  ) -> [String] {
    switch shape {
    case .value: [value]
    case .bounds: [lower, upper]
    case .estimate: [value, lower, upper]
    }
  }

  private static func fields(_ cell: FleetSheet.Cell, _ shape: FleetSheet.Column.Shape) -> [String] {
    switch cell {
    case .none: fields(shape, "")
    case .word(let text), .metric(let text): fields(shape, CSVField.text(text))
    case .flag(let isTrue): fields(shape, "\(isTrue)")
    case .verdict(let text, _): fields(shape, CSVField.text(text.replacing(" ", with: "-")))
    case .count(let value), .time(let value): fields(shape, whole(value))
    case .quantile(let value, _): fields(shape, whole(value.estimate), whole(value.lower), whole(value.upper))
    case .share(let value), .limitedShare(let value, _):
      fields(shape, part(value.estimate), part(value.lower), part(value.upper))
    case .change(let value): fields(shape, part(value))
    case .changeRange(let lower, let upper): fields(shape, "", part(lower), part(upper))
    }
  }

  private static func whole(_ value: Double) -> String { CSVField.number(value) }
  private static func part(_ value: Double) -> String { CSVField.number(value, decimals: 6) }
}
