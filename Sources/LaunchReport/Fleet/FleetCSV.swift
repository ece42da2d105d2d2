// SPDX-License-Identifier: Apache-2.0

/// Tables of a document as CSV (RFC 4180), times in ns: each table with the names of its columns, and an empty line between tables.
struct FleetCSV {
  let document: FleetDocument

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    var isFirst = true
    for sheet in document.sheets(for: .programs) where !sheet.rows.isEmpty || isFirst {
      if !isFirst { output.append(CSVField.lineEnd) }
      isFirst = false
      let samples = sheet.columns.indices.map { place in sheet.rows.lazy.map { $0[place] }.first(where: Self.hasBounds)
      }
      let heads = zip(sheet.columns, samples).flatMap { column, sample in
        sample == nil ? [column.id] : [column.id, column.id + "_lower", column.id + "_upper"]
      }
      output.append(CSVField.row(heads.map(CSVField.text)))
      for row in sheet.rows {
        let fields = zip(row, samples).flatMap { cell, sample in
          let fields = Self.fields(cell)
          return sample == nil || fields.count == 3 ? fields : [fields[0], "", ""]
        }
        output.append(CSVField.row(fields))
      }
    }
    try output.finish()
  }

  private static func hasBounds(_ cell: FleetSheet.Cell) -> Bool { fields(cell).count == 3 }

  private static func fields(_ cell: FleetSheet.Cell) -> [String] {
    switch cell {
    case .none: [""]
    case .word(let text), .metric(let text): [CSVField.text(text)]
    case .flag(let isTrue): ["\(isTrue)"]
    case .verdict(let text, _): [CSVField.text(text.replacing(" ", with: "-"))]
    case .count(let value), .time(let value): [whole(value)]
    case .quantile(let value): [whole(value.estimate), whole(value.lower), whole(value.upper)]
    case .share(let value): [part(value.estimate), part(value.lower), part(value.upper)]
    case .change(let value): [part(value)]
    case .changeRange(let lower, let upper): ["", part(lower), part(upper)]
    }
  }

  private static func whole(_ value: Double) -> String { CSVField.number(value) }
  private static func part(_ value: Double) -> String { CSVField.number(value, decimals: 6) }
}
