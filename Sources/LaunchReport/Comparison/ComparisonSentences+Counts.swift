// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What decided that a launch regressed: a time, or a count that does not vary.
extension ComparisonSentences {
  /// The count by which the launch regressed, though its times do not show it: of libraries and the like, or of instructions. nil
  /// if the times decided.
  var decidingCount: String? {
    guard result.status == .regressed, let comparison = result.comparison else { return nil }
    guard comparison.outcome == .decided(.regressed) else { return result.instructions.map(sentence) }
    return comparison.exact.first { $0.metric.rawValue == comparison.decidedBy }.map(sentence)
  }

  var isDecidedByCounts: Bool { decidingCount != nil }

  /// What the time says if it did not decide.
  static func alone(_ verdict: Verdict) -> String {
    switch verdict {
    case .inconclusive: "the time alone is inconclusive"
    case .noChange: "by the time alone, the launch did not get slower"
    case .improved: "by the time alone, the launch improved"
    case .regressed: "the time alone regressed"
    }
  }
}
