// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The formats of the history for programs (docs/gate.md).
package enum HistoryFormat: String, Sendable, CaseIterable {
  case csv, json

  /// Raised if a member changes its meaning or is removed, but not for new members.
  private static let schemaVersion = 1

  /// - Parameters:
  ///   - rows: of the CSV. A lazy sequence, because a history may have millions.
  ///   - members: writes those of the JSON.
  /// - Throws: what the sink throws.
  func write(
    to sink: any ByteSink, columns: String, rows: some Sequence<[String]>, members: (inout JSONWriter) -> Void
  ) throws {
    switch self {
    case .csv:
      var output = OutputBuffer(sink)
      output.csv(columns, rows)
      try output.finish()
    case .json:
      try JSONWriter.object(to: sink) { json in
        json.value("schemaVersion", Self.schemaVersion)
        members(&json)
      }
    }
  }
}

extension HistoryFormat {
  /// Writes launches of a history.
  ///
  /// - Throws: what the sink throws.
  package func write(_ rows: [HistoryRow], to sink: any ByteSink) throws {
    try write(
      to: sink,
      columns: "launch,added,commit,program,machine,configuration,session,left_out,metric,unit,value",
      rows: rows.lazy.flatMap(Self.fields)
    ) { json in
      json.objects("launches", rows) { Self.write($1, to: &$0) }
    }
  }

  /// One row for each metric.
  private static func fields(_ row: HistoryRow) -> [[String]] {
    let measurement = row.measurement
    let head =
      ["\(row.id)", "\(row.added)"]
      + [
        row.commit, row.key.program, row.key.machine, row.key.configuration, measurement.provenance.session,
        measurement.leftOut?.rawValue ?? "",
      ].map(CSVField.text)
    return measurement.values.sorted { $0.key.id < $1.key.id }.map { metric, value in
      head + [CSVField.text(metric.id), metric.unit.rawValue, "\(ComparisonNumbers.whole(value))"]
    }
  }

  private static func write(_ row: HistoryRow, to json: inout JSONWriter) {
    json.values([
      "launch": row.id, "added": row.added, "commit": row.commit, "program": row.key.program,
      "machine": row.key.machine, "configuration": row.key.configuration,
      "session": row.measurement.provenance.session, "leftOut": row.measurement.leftOut?.rawValue,
    ])
    json.object("values") { json in
      for (metric, value) in row.measurement.values.sorted(by: { $0.key.id < $1.key.id }) {
        json.value(metric.id, ComparisonNumbers.whole(value))
      }
    }
  }
}
