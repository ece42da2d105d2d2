package import LaunchAnalysis
package import LaunchObserver

/// The part `gate` of a launch-budgets.yml: docs/gate.md.
package struct GateConfiguration {
  /// Launches of a program that the gate launches alone; nil for the standard.
  package var runs: Int?
  /// The most rounds of a live comparison; nil for the standard.
  package var rounds: Int?
  /// Launches before them that do not count; nil for the standard.
  package var warmups: Int?
  /// ns that all launches together may take; nil for the standard.
  package var maxTime: Int64?
  /// ns that one launch may take; nil for no limit.
  package var timeout: Int64?
  package var ready: LaunchObserver.ReadyRule?
  /// ns that a program goes on after it is ready; nil for the standard.
  package var settle: Int64?
  package var budgets: [QuantileBudget] = []
  /// Where each budget stands in the file.
  package var places: [(line: Int, column: Int)?] = []
  package var options = ComparisonOptions()
  package var inconclusive: InconclusivePolicy?
  /// What the rest of the file names: milestones, phases, intervals.
  package var named = BudgetRules()

  /// So many that the ninetieth percentile has an upper bound at 99 %.
  package static let standardRuns = 60

  package init() {}
}

/// What an inconclusive comparison is worth.
package enum InconclusivePolicy: String, CaseIterable, Sendable { case pass, fail, warn }
