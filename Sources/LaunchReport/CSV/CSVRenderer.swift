// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Comma-separated values (RFC 4180). docs/csv.md documents the columns.
struct CSVRenderer: ReportRenderer {
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    if options.breakdown != nil {
      output.csv(CSVBreakdown.columns, launches.breakdown(options).map(CSVBreakdown.rows) ?? [])
      return try output.finish()
    }
    switch options.findingsOnly ? .findings : options.rows {
    case .spans:
      output.append(CSVSpans.header)
      for launch in launches.launches {
        CSVSpans(launch, options: options).write(to: &output)
        if output.hasFailed { break }
      }
    case .phases: CSVTable.phases(mainThreadOnly: options.mainThreadOnly).write(launches, to: &output)
    case .findings: CSVTable.findings.write(launches, to: &output)
    case .libraries: CSVTable.libraries.write(launches, to: &output)
    case .globals: CSVTable.globals.write(launches, to: &output)
    case .lookups: CSVTable.lookups.write(launches, to: &output)
    case .events: CSVTable.events(mainThreadOnly: options.mainThreadOnly).write(launches, to: &output)
    case .counters: CSVTable.counters.write(launches, to: &output)
    case .statistics: output.csv(CSVStatistics.columns, CSVStatistics.rows(launches, options))
    }
    try output.finish()
  }
}

extension OutputBuffer {
  /// Writes a table: the names of its columns, then its rows.
  mutating func csv(_ columns: String, _ rows: some Sequence<[String]>) {
    append(columns + CSVField.lineEnd)
    for row in rows { append(CSVField.row(row)) }
  }
}

/// The fields of a row.
enum CSVField {
  static let lineEnd = "\r\n"

  static func row(_ fields: [String]) -> String { fields.joined(separator: ",") + lineEnd }

  /// Empty for what is not known.
  static func number(_ value: Int64?) -> String { value.map { String($0) } ?? "" }

  /// With a fixed number of decimals, while there is room for them; empty for numbers that are not finite.
  static func number(_ value: Double, decimals: Int = 0) -> String {
    guard value.isFinite, abs(value) < 9e15 else { return "" }
    let scaled = value * (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    guard decimals > 0, abs(scaled) < 9e15 else { return String(Int64(value.rounded())) }
    return DecimalText.text(Int64(scaled.rounded()), decimals: decimals)
  }

  /// `text` as one field, without control characters, quoted if RFC 4180 requires it, and never a formula.
  static func text(_ text: String) -> String { quoted(PlainName.escaped(text)) }

  /// Several names as one field, separated by `;`.
  static func path(_ names: [String]) -> String {
    quoted(names.map { PlainName.escaped($0, .pathSeparator) }.joined(separator: ";"))
  }

  private static func quoted(_ text: String) -> String {
    let safe = startsFormula(text) ? "'" + text : text
    return needsQuotes(safe) ? "\"" + doubled(safe) + "\"" : safe
  }

  static func needsQuotes(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
  }

  /// With every `"` twice.
  static func doubled(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "\"")) ? text.replacing(scalars: ["\"": "\"\""]) : text
  }

  /// Spreadsheets treat a cell with such a beginning as a formula. A `'` in front makes it text (OWASP, CSV
  /// Injection). Tab and CR have the same effect, but are already escaped. Some spreadsheets also accept the
  /// full-width forms.
  static func startsFormula(_ text: String) -> Bool {
    switch text.unicodeScalars.first {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}
