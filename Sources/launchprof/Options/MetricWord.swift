// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// A word of `--metric`, before launches are made or read.
enum MetricWord {
  /// Why no comparison has a metric of this name; nil if only launches can tell. A word may be an interval's bare name.
  static func mistake(in word: String) -> String? {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (head, name) = (String(parts[0]), parts.count == 2 ? "/\(parts[1])" : "")
    if word.isEmpty || Metric.namedGroups.contains(head) && name == "/" {
      return "expected a name, such as total or phase/main"
    }
    if Metric.Group(rawValue: head)?.isCompared == false { return "comparisons have no such metrics" }
    let known = name.isEmpty ? Metric.words : Metric.namedGroups
    guard !known.contains(head), let meant = SimilarWord.misspelling(of: head, in: known) else { return nil }
    return
      "no metric has this name; did you mean \(shown(meant + name))? An interval of this name: \(shown("interval/\(word)"))"
  }
}
