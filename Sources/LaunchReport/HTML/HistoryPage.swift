// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// A metric over commits as one HTML file: medians, spread, changes of the level, budgets, baselines.
package struct HistoryPage {
  private let series: HistorySeries
  private let changes: [HistorySeries.Change]
  private let baselines: [(name: String, commit: String)]
  private let budgets: [BudgetCheck]

  /// - Parameter budgets: of the metric, held against the latest commit.
  package init(
    _ series: HistorySeries, changes: [HistorySeries.Change], baselines: [(name: String, commit: String)] = [],
    budgets: [BudgetCheck] = []
  ) {
    (self.budgets, self.series, self.changes, self.baselines) = (budgets, series, changes, baselines)
  }

  /// - Throws: what the sink throws.
  package func write(to sink: any ByteSink) throws {
    let title = "History of \(ComparisonSentences.label(series.metric))"
    try HTMLDocument.write(title, to: sink) { json in
      json.values([
        "kind": "history", "title": title, "series": series.title, "metric": series.metric.id,
        "unit": series.metric.unit.rawValue, "remark": UnmeasuredCommits.sentence(series),
        "isLatestUnmeasured": series.isLatestUnmeasured,
      ])
      write(to: &json)
    }
  }

  private func write(to json: inout JSONWriter) {
    json.objects("points", series.points) { json, point in
      json.values([
        "commit": point.commit, "added": point.added, "launches": point.launches, "median": point.median,
        "low": point.low, "high": point.high,
      ])
    }
    json.objects("changes", changes) { json, change in
      json.values([
        "place": change.place, "first": change.places.lowerBound, "last": change.places.upperBound,
      ])
      write(change.levels, to: &json)
      json.object("cpu", change.cpu) { write($1, to: &$0) }
      json.texts("others", HistoryChangeSentence.surroundings(of: change, arrow: "→"))
    }
    json.objects("budgets", budgets) { ComparisonJSON.write($1, to: &$0) }
    json.objects("baselines", baselines) { $0.values(["name": $1.name, "commit": $1.commit]) }
  }

  private func write(_ levels: HistorySeries.Change.Levels, to json: inout JSONWriter) {
    json.values(["before": levels.before, "after": levels.after, "relative": levels.relative])
  }
}
