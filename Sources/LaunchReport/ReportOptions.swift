// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// How a report looks. A format ignores options that it does not need.
package struct ReportOptions: Sendable, Equatable {
  /// The order of siblings.
  package enum Sort: String, Sendable, CaseIterable {
    /// The longest sibling first.
    case time
    /// In the order of their start.
    case start
  }

  /// What each row of a table describes.
  package enum Rows: String, Sendable, CaseIterable {
    case spans, phases, findings, libraries, globals, lookups, events, counters, statistics
  }

  /// Width of the output in columns.
  package var width = 80
  /// Terminal colours (SGR sequences).
  package var color = false
  /// Use only ASCII characters, also for names.
  package var ascii = false
  package var sort = Sort.start
  /// The number of levels of the flame tree to show below a track; nil for all.
  package var depth: Int?
  /// Smaller parts of the launch are summed up in one line, percent.
  package var minPercent = 0.5
  /// Whether to show functions with one or two samples, because the user gave the smallest share.
  package var showsRareFunctions = false
  /// Show the main thread only.
  package var mainThreadOnly = false
  package var rows = Rows.spans
  /// Show the most important parts on one screen. Ignored if only one aspect is shown.
  package var isBrief = false
  /// Show only the findings, each with its evidence.
  package var findingsOnly = false
  /// Show sampled functions in the tree of spans.
  package var merge = false
  /// Show only the launches' time by one aspect.
  package var breakdown: Breakdown.Aspect?
  /// Absolute paths of folders. The text shows the path of a source file relative to the first of these folders that
  /// contains it. Formats for programs keep the whole path.
  package var sourceFolders: [String] = []
  /// Group several launches by this label; nil for one group.
  package var by: LaunchSet.Label?

  package init() {}

  var style: TextStyle { TextStyle(hasColor: color, isASCII: ascii) }
  /// The width of the text. Narrower, nothing can be read; wider, a line cannot be followed.
  var columns: Int { min(max(width, 40), 160) }

  /// Whether the text is the overview on one screen.
  var isOverview: Bool { isBrief && !findingsOnly && breakdown == nil && by == nil }
}
