// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The points and changes of a series for programs (docs/gate.md). CSV has the changes only; `HistoryList` has the points.
package struct HistoryChangeTable {
  /// A change, and how many commits before it were never launched, any of which may have made it.
  package typealias Found = (change: HistorySeries.Change, unlaunched: Int?)

  /// Raised if a member changes its meaning or is removed, but not for new members.
  package static let schemaVersion = 1

  private let series: HistorySeries
  private let key: HistoryKey
  private let changes: [Found]

  package init(_ series: HistorySeries, of key: HistoryKey, changes: [Found]) {
    (self.series, self.key, self.changes) = (series, key, changes)
  }

  /// - Throws: what the sink throws.
  package func write(as format: HistoryTable.Format, to sink: any ByteSink) throws {
    switch format {
    case .csv: try writeCSV(to: sink)
    case .json: try writeJSON(to: sink)
    }
  }

  private func number(_ value: Double) -> HistoryNumber { HistoryNumber(value: value, unit: series.metric.unit) }
  private func time(_ value: Double) -> HistoryNumber { HistoryNumber(value: value, unit: .nanoseconds) }
  private func commit(_ place: Int) -> String { series.points[place].commit }

  // MARK: CSV

  private static let header =
    "change,commit,probability,first,from,to,metric,unit,before,after,change_percent,cpu_before,cpu_after,"
    + "cpu_change_percent,unlaunched,differences" + CSVField.lineEnd

  /// One row for each commit that may have made a change.
  private func writeCSV(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append(Self.header)
    for (place, found) in changes.enumerated() {
      let change = found.change
      let ends = [change.place, change.places.lowerBound, change.places.upperBound].map { CSVField.text(commit($0)) }
      let facts =
        ends + [CSVField.text(series.metric.id), series.metric.unit.rawValue] + levels(change.levels, number)
        + (change.cpu.map { levels($0, time) } ?? ["", "", ""])
        + [
          found.unlaunched.map { "\($0)" } ?? "",
          CSVField.path(
            change.surroundings.map {
              "\($0.field.rawValue): \($0.before.joined(separator: ", ")) -> \($0.after.joined(separator: ", "))"
            }),
        ]
      for (candidate, probability) in zip(change.places, change.probabilities) {
        let own = ["\(place + 1)", CSVField.text(commit(candidate)), CSVField.number(probability, decimals: 6)]
        output.append(CSVField.row(own + facts))
      }
    }
    try output.finish()
  }

  private func levels(
    _ levels: HistorySeries.Change.Levels, _ number: (Double) -> HistoryNumber
  ) -> [String] {
    [number(levels.before).csv, number(levels.after).csv, CSVField.number(levels.relative * 100, decimals: 4)]
  }

  // MARK: JSON

  private func writeJSON(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: false)
    json.object { json in
      json.values([
        "schemaVersion": Self.schemaVersion, "program": key.program, "machine": key.machine,
        "configuration": key.configuration, "metric": series.metric.id, "unit": series.metric.unit.rawValue,
      ])
      json.objects("points", series.points) { json, point in
        json.values(["commit": point.commit, "added": point.added, "launches": point.launches])
        number(point.median).write("median", to: &json)
        number(point.low).write("p10", to: &json)
        number(point.high).write("p90", to: &json)
      }
      json.texts("unmeasured", series.unmeasured)
      json.objects("changes", changes) { write($1, to: &$0) }
    }
    try json.finish()
  }

  private func write(_ found: Found, to json: inout JSONWriter) {
    let change = found.change
    json.values([
      "first": commit(change.place), "from": commit(change.places.lowerBound), "to": commit(change.places.upperBound),
      "unlaunched": found.unlaunched,
    ])
    write(change.levels, number, to: &json)
    json.objects("candidates", zip(change.places, change.probabilities)) { json, candidate in
      json.values(["commit": commit(candidate.0), "probability": (candidate.1 * 1e6).rounded() / 1e6])
    }
    if let cpu = change.cpu { json.object("cpu") { write(cpu, time, to: &$0) } }
    json.objects("differences", change.surroundings) { json, difference in
      json.value("field", difference.field.rawValue)
      json.texts("before", difference.before)
      json.texts("after", difference.after)
    }
  }

  private func write(
    _ levels: HistorySeries.Change.Levels, _ number: (Double) -> HistoryNumber, to json: inout JSONWriter
  ) {
    number(levels.before).write("before", to: &json)
    number(levels.after).write("after", to: &json)
    json.value("change", levels.relative)
  }
}
