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

  /// Raised if a member changes its meaning or is removed, but not for new members.
  package static let schemaVersion = 1

  private let series: [Series]

  package init(_ series: [Series]) { self.series = series }

  /// - Throws: what the sink throws.
  package func write(as format: HistoryTable.Format, to sink: any ByteSink) throws {
    switch format {
    case .csv: try writeCSV(to: sink)
    case .json: try writeJSON(to: sink)
    }
  }

  /// One row for each commit of a series.
  private func writeCSV(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append(
      "program,machine,configuration,commit,added,launches,median_ns,p10_ns,p90_ns,left_out,baselines"
        + CSVField.lineEnd)
    for series in series {
      let names = [series.key.program, series.key.machine, series.key.configuration].map(CSVField.text)
      for commit in series.commits {
        let numbers = commit.point.map { [$0.median, $0.low, $0.high].map { CSVField.number($0) } }
        output.append(
          CSVField.row(
            names + [
              CSVField.text(commit.commit), CSVField.number(commit.point?.added), "\(commit.point?.launches ?? 0)",
            ] + (numbers ?? ["", "", ""]) + [
              "\(commit.leftOut.reduce(0) { $0 + $1.count })", CSVField.path(commit.baselines),
            ]))
      }
    }
    try output.finish()
  }

  private func writeJSON(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: false)
    json.object { json in
      json.value("schemaVersion", Self.schemaVersion)
      json.objects("series", series) { json, series in
        json.values([
          "program": series.key.program, "machine": series.key.machine, "configuration": series.key.configuration,
          "title": series.title,
        ])
        json.objects("commits", series.commits) { Self.write($1, to: &$0) }
      }
    }
    try json.finish()
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
