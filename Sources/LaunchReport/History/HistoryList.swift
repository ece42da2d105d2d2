// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The commits of each series, with their launches.
package struct HistoryList {
  package struct Commit {
    package var commit: String
    /// nil if no launch of it counts.
    package var point: HistorySeries.Point?
    /// How many of its launches do not count, and why.
    package var leftOut: [(reason: LaunchSet.LeftOut, count: Int)]
    /// The names that it has as a baseline.
    package var baselines: [String]

    package init(
      _ commit: String, point: HistorySeries.Point?, leftOut: [(reason: LaunchSet.LeftOut, count: Int)],
      baselines: [String]
    ) {
      (self.commit, self.point, self.leftOut, self.baselines) = (commit, point, leftOut, baselines)
    }
  }

  package struct Series {
    package var key: HistoryKey
    /// With what launches they are, if these are not usual ones.
    package var title: String
    /// In the order of git.
    package var commits: [Commit]

    package init(_ key: HistoryKey, title: String, commits: [Commit]) {
      (self.key, self.title, self.commits) = (key, title, commits)
    }
  }

  private let series: [Series]

  package init(_ series: [Series]) { self.series = series }

  /// - Throws: what the sink throws.
  package func write(as format: HistoryFormat, to sink: any ByteSink) throws {
    try format.write(
      to: sink,
      columns: "program,machine,configuration,commit,added,launches,median_ns,p10_ns,p90_ns,left_out,baselines",
      rows: series.lazy.flatMap { series in series.commits.map { Self.fields($0, series.key) } }
    ) { json in
      json.objects("series", series) { json, series in
        json.values([
          "program": series.key.program, "machine": series.key.machine, "configuration": series.key.configuration,
          "title": series.title,
        ])
        json.objects("commits", series.commits) { Self.write($1, to: &$0) }
      }
    }
  }

  private static func fields(_ commit: Commit, _ key: HistoryKey) -> [String] {
    let point = commit.point
    return [key.program, key.machine, key.configuration, commit.commit].map(CSVField.text)
      + [CSVField.number(point?.added), "\(point?.launches ?? 0)"]
      + [point?.median, point?.low, point?.high].map { $0.map { CSVField.number($0) } ?? "" }
      + ["\(commit.leftOut.reduce(0) { $0 + $1.count })", CSVField.path(commit.baselines)]
  }

  private static func write(_ commit: Commit, to json: inout JSONWriter) {
    let point = commit.point
    json.values([
      "commit": commit.commit, "added": point?.added, "launches": point?.launches ?? 0,
      "median": point.map { ComparisonNumbers.whole($0.median) },
      "p10": point.map { ComparisonNumbers.whole($0.low) }, "p90": point.map { ComparisonNumbers.whole($0.high) },
    ])
    json.object("leftOut") { json in
      for (reason, count) in commit.leftOut { json.value(reason.rawValue, count) }
    }
    json.texts("baselines", commit.baselines)
  }
}
