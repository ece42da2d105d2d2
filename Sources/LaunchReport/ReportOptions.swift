public import LaunchAnalysis

/// How a report is to look. What a format has no use for, it ignores.
public struct ReportOptions: Sendable, Equatable {
  /// The order of what stands beside each other.
  public enum Sort: String, Sendable, CaseIterable {
    /// The longest first.
    case time
    /// The first first.
    case start
  }

  /// What a row of a table is.
  public enum Rows: String, Sendable, CaseIterable {
    case spans, phases, findings, libraries
  }

  /// Columns of the output; the text uses between 40 and 160.
  public var width = 80
  /// Terminal colours (SGR sequences).
  public var color = false
  /// Nothing but ASCII, names included.
  public var ascii = false
  public var sort = Sort.start
  /// How many levels of the flame tree are shown below a track; nil for all.
  public var depth: Int?
  /// What takes less of the launch is summed up in one line, percent.
  public var minPercent = standardMinPercent
  /// Percent.
  public static let standardMinPercent = 0.5
  /// Show functions that one or two samples saw, too, where there are many: somebody said himself how much is too little.
  public var showsRareFunctions = false
  /// Leave out the other threads.
  public var mainThreadOnly = false
  public var rows = Rows.spans
  /// The text fits on one screen: the most important of everything. Ignored when one aspect alone is asked for.
  public var isBrief = false
  /// The findings alone, each with all that is known of it.
  public var findingsOnly = false
  /// Put the functions that samples saw into the tree of spans.
  public var merge = false
  /// Only the launches' time, by one aspect.
  public var breakdown: Breakdown.Aspect?
  /// Absolute paths of folders. The text names source files in one of them by their path from there on; the first that
  /// holds a file is taken. Formats for programs keep the whole path.
  public var sourceFolders: [String] = []
  /// Several launches by a label of theirs; nil for all together.
  public var by: LaunchSet.Label?

  public init() {}

  /// Whether the text is the one-screen overview.
  var isOverview: Bool { isBrief && !findingsOnly && breakdown == nil && by == nil }
}
