// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What the picture of a history cannot show: commits without a launch that has its metric.
enum UnmeasuredCommits {
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
}
