// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// A word of `--metric`, before launches are made or read. It may be the bare name of an interval, a phase or a library.
enum MetricWord {
  /// Why no comparison has a metric of this name; nil if only launches can tell.
  static func mistake(in word: String) -> String? {
    let (head, name) = parts(of: word)
    return word.isEmpty || Metric.namedGroups.contains(head) && name == "/"
      ? "expected a name, such as total or phase/main" : nil
  }

  /// What was probably meant, for a word that is nearly one of ours; else nil.
  static func suggestion(for word: String) -> String? {
    let (head, name) = parts(of: word)
    // Comparisons have no milestones.
    if !name.isEmpty, Metric.Group(rawValue: head)?.isCompared == false { return "interval/\(word)" }
    let known = name.isEmpty ? Metric.words : Metric.namedGroups
    return known.contains(head) ? nil : SimilarWord.misspelling(of: head, in: known).map { $0 + name }
  }

  /// The group or the whole word, and the rest with its slash.
  private static func parts(of word: String) -> (head: String, name: String) {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? "/\(parts[1])" : "")
  }
}
