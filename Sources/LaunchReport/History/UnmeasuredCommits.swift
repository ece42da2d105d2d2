// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// What the picture of a history cannot show: commits without a launch that has its metric.
package enum UnmeasuredCommits {
  /// In ASCII; nil if every commit has such a launch.
  package static func plainSentence(_ series: HistorySeries) -> String? {
    sentence(series, ellipsis: "...", .beyondASCII)
  }

  /// nil if every commit has such a launch.
  static func sentence(_ series: HistorySeries, ellipsis: String = "…", _ escapes: PlainName.Escapes = []) -> String? {
    guard let latest = series.unmeasured.last else { return nil }
    let metric = "launch with \(ComparisonSentences.label(series.metric))"
    let others = series.unmeasured.count - 1
    guard series.isLatestUnmeasured else {
      let commits = others == 0 ? "1 commit has" : "\(others + 1) commits have"
      return "\(commits) no \(metric), so the series does not show \(others == 0 ? "it" : "them")."
    }
    let also = others == 0 ? "" : " \(others) earlier \(others == 1 ? "commit has" : "commits have") none either."
    return "The latest commit, \(CommitLabel.text(latest, ellipsis: ellipsis, escapes)), has no \(metric).\(also)"
  }

  /// The commits in a line of 110 columns or less, the latest commits first, beside a title that names the metric.
  static func line(_ series: HistorySeries) -> String? {
    guard !series.unmeasured.isEmpty else { return nil }
    var names = series.unmeasured.reversed().map { CommitLabel.text($0, columns: 20) }
    if series.isLatestUnmeasured { names[0] += " (the latest)" }
    return "Not measured: \(names.listed(3))."
  }
}
