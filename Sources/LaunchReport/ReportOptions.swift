package import LaunchAnalysis

/// How a report is to look. What a format has no use for, it ignores.
package struct ReportOptions: Sendable, Equatable {
  /// The order of what stands beside each other.
  package enum Sort: String, Sendable, CaseIterable {
    /// The longest first.
    case time
    /// The first first.
    case start
  }

  /// What a row of a table is.
  package enum Rows: String, Sendable, CaseIterable {
    case spans, phases, findings, libraries
  }

  /// Columns of the output; the text uses between 40 and 160.
  package var width = 80
  /// Terminal colours (SGR sequences).
  package var color = false
  /// Nothing but ASCII, names included.
  package var ascii = false
  package var sort = Sort.start
  /// How many levels of the flame tree are shown below a track; nil for all.
  package var depth: Int?
  /// What takes less of the launch is summed up in one line, percent.
  package var minPercent = standardMinPercent
  /// Percent.
  package static let standardMinPercent = 0.5
  /// Show functions that one or two samples saw, too, where there are many: somebody said himself how much is too little.
  package var showsRareFunctions = false
  /// Leave out the other threads.
  package var mainThreadOnly = false
  package var rows = Rows.spans
  /// The text fits on one screen: the most important of everything. Ignored when one aspect alone is asked for.
  package var isBrief = false
  /// The findings alone, each with all that is known of it.
  package var findingsOnly = false
  /// Put the functions that samples saw into the tree of spans.
  package var merge = false
  /// Only the launches' time, by one aspect.
  package var breakdown: Breakdown.Aspect?
  /// Absolute paths of folders. The text names source files in one of them by their path from there on; the first that
  /// holds a file is taken. Formats for programs keep the whole path.
  package var sourceFolders: [String] = []
  /// Several launches by a label of theirs; nil for all together.
  package var by: LaunchSet.Label?

  package init() {}

  /// Whether the text is the one-screen overview.
  var isOverview: Bool { isBrief && !findingsOnly && breakdown == nil && by == nil }
}
