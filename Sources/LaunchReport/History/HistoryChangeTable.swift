// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The points and changes of a series for programs (docs/gate.md). CSV has the changes only; `HistoryList` has the points.
package struct HistoryChangeTable {
  /// A change, and how many commits before it were never launched, any of which may have made it.
  package typealias Found = (change: HistorySeries.Change, unlaunched: Int?)

  private let series: HistorySeries
  private let key: HistoryKey
  private let changes: [Found]

  package init(_ series: HistorySeries, of key: HistoryKey, changes: [Found]) {
    (self.series, self.key, self.changes) = (series, key, changes)
  }

  /// - Throws: what the sink throws.
  package func write(as format: HistoryFormat, to sink: any ByteSink) throws {
    try format.write(
      to: sink,
      columns: "change,commit,probability,first,from,to,metric,unit,before,after,change_percent,cpu_before,cpu_after,"
        + "cpu_change_percent,unlaunched,differences",
      rows: changes.enumerated().lazy.flatMap { fields($0.element, number: $0.offset + 1) }
    ) { json in
      json.values([
        "program": key.program, "machine": key.machine, "configuration": key.configuration,
        "metric": series.metric.id, "unit": series.metric.unit.rawValue,
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
  }

  private func number(_ value: Double) -> MetricNumber { MetricNumber(value: value, unit: series.metric.unit) }
  private func time(_ value: Double) -> MetricNumber { MetricNumber(value: value, unit: .nanoseconds) }
  private func commit(_ place: Int) -> String { series.points[place].commit }

  /// One row for each commit that may have made the change.
  private func fields(_ found: Found, number place: Int) -> [[String]] {
    let change = found.change
    let ends = [change.place, change.places.lowerBound, change.places.upperBound].map { CSVField.text(commit($0)) }
    let differences = change.surroundings.map {
      "\($0.field.rawValue): \($0.before.joined(separator: ", ")) -> \($0.after.joined(separator: ", "))"
    }
    let facts =
      ends + [CSVField.text(series.metric.id), series.metric.unit.rawValue] + levels(change.levels, number)
      + (change.cpu.map { levels($0, time) } ?? ["", "", ""])
      + [found.unlaunched.map { "\($0)" } ?? "", CSVField.path(differences)]
    return zip(change.places, change.probabilities).map { candidate, probability in
      ["\(place)", CSVField.text(commit(candidate)), CSVField.number(probability, decimals: 6)] + facts
    }
  }

  private func levels(
    _ levels: HistorySeries.Change.Levels, _ number: (Double) -> MetricNumber
  ) -> [String] {
    [number(levels.before).csv, number(levels.after).csv, CSVField.number(levels.relative * 100, decimals: 4)]
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
    _ levels: HistorySeries.Change.Levels, _ number: (Double) -> MetricNumber, to json: inout JSONWriter
  ) {
    number(levels.before).write("before", to: &json)
    number(levels.after).write("after", to: &json)
    json.value("change", levels.relative)
  }
}
