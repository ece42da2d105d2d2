package import LaunchAnalysis

/// The part `gate` of a launch-budgets.yml: docs/gate.md.
package struct GateConfiguration {
  /// Launches, or rounds, of a program that the gate launches itself; nil for the standard.
  package var runs: Int?
  package var budgets: [QuantileBudget] = []
  /// Where each budget stands in the file.
  package var places: [(line: Int, column: Int)?] = []
  package var options = ComparisonOptions()
  package var inconclusive: InconclusivePolicy?

  /// So many that the ninetieth percentile has an upper bound at 99 %.
  package static let standardRuns = 60

  package init() {}
}

/// What an inconclusive comparison is worth.
package enum InconclusivePolicy: String, CaseIterable, Sendable { case pass, fail, warn }
