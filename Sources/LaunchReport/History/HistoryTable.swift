// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// Launches of a history as CSV or JSON (docs/gate.md).
package struct HistoryTable {
  package enum Format: String, Sendable, CaseIterable { case csv, json }

  private let rows: [HistoryRow]

  /// Raised if a member changes its meaning or is removed, but not for new members.
  package static let schemaVersion = 1

  package init(_ rows: [HistoryRow]) { self.rows = rows }

  /// - Throws: what the sink throws.
  package func write(as format: Format, to sink: any ByteSink) throws {
    switch format {
    case .csv: try writeCSV(to: sink)
    case .json: try writeJSON(to: sink)
    }
  }

  /// One row for each launch and metric.
  private func writeCSV(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append(
      "launch,added,commit,program,machine,configuration,session,left_out,metric,unit,value" + CSVField.lineEnd)
    for row in rows {
      let measurement = row.measurement
      let head =
        ["\(row.id)", "\(row.added)"]
        + [
          row.commit, row.key.program, row.key.machine, row.key.configuration, measurement.provenance.session,
          measurement.leftOut?.rawValue ?? "",
        ].map(CSVField.text)
      for (metric, value) in measurement.values.sorted(by: { $0.key.id < $1.key.id }) {
        let fields = [CSVField.text(metric.id), metric.unit.rawValue, "\(ComparisonNumbers.whole(value))"]
        output.append(CSVField.row(head + fields))
      }
    }
    try output.finish()
  }

  private func writeJSON(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: false)
    json.object { json in
      json.value("schemaVersion", Self.schemaVersion)
      json.objects("launches", rows) { Self.write($1, to: &$0) }
    }
    try json.finish()
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
