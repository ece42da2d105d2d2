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
      let parts = sheet.columns.indices.map { place in
        sheet.rows.reduce(into: Parts()) { $0.formUnion(Self.parts(of: $1[place])) }
      }
      let heads = zip(sheet.columns, parts).flatMap { column, parts in
        Self.fields(parts, column.id, column.id + "_lower", column.id + "_upper")
      }
      output.append(CSVField.row(heads.map(CSVField.text)))
      for row in sheet.rows { output.append(CSVField.row(zip(row, parts).flatMap(Self.fields))) }
    }
    try output.finish()
  }

  /// What a column of the table becomes: a value, bounds of an interval, or both.
  private struct Parts: OptionSet {
    let rawValue: Int
    static let value = Parts(rawValue: 1)
    static let bounds = Parts(rawValue: 2)
  }

  private static func parts(of cell: FleetSheet.Cell) -> Parts {
    switch cell {
    case .none: []
    case .quantile: [.value, .bounds]
    // A limit has no interval.
    case .share(let share): share.lower < share.upper ? [.value, .bounds] : .value
    case .changeRange: .bounds
    case .word, .flag, .metric, .verdict, .count, .time, .change: .value
    }
  }

  private static func fields(_ parts: Parts, _ value: String, _ lower: String, _ upper: String) -> [String] {
    // Where no row has anything, the column still has its name.
    (parts == .bounds ? [] : [value]) + (parts.contains(.bounds) ? [lower, upper] : [])
  }

  private static func fields(_ cell: FleetSheet.Cell, _ parts: Parts) -> [String] {
    switch cell {
    case .none: fields(parts, "", "", "")
    case .word(let text), .metric(let text): fields(parts, CSVField.text(text), "", "")
    case .flag(let isTrue): fields(parts, "\(isTrue)", "", "")
    case .verdict(let text, _): fields(parts, CSVField.text(text.replacing(" ", with: "-")), "", "")
    case .count(let value), .time(let value): fields(parts, whole(value), "", "")
    case .quantile(let value, _): fields(parts, whole(value.estimate), whole(value.lower), whole(value.upper))
    case .share(let value): fields(parts, part(value.estimate), part(value.lower), part(value.upper))
    case .change(let value): fields(parts, part(value), "", "")
    case .changeRange(let lower, let upper): fields(parts, "", part(lower), part(upper))
    }
  }

  private static func whole(_ value: Double) -> String { CSVField.number(value) }
  private static func part(_ value: Double) -> String { CSVField.number(value, decimals: 6) }
}
