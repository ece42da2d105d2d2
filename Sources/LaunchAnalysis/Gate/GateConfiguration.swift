// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// The section `gate` of a launch-budgets.yml (docs/gate.md).
package struct GateConfiguration {
  /// Number of launches of a single program; nil for the default.
  package var runs: Int?
  /// Largest number of rounds of a live comparison; nil for the default.
  package var rounds: Int?
  /// Number of warm-up launches; nil for the default.
  package var warmups: Int?
  /// Time limit of all launches together, ns; nil for the default.
  package var maxTime: Int64?
  /// Time limit of one launch, ns; nil for none.
  package var timeout: Int64?
  package var ready: ReadyRule?
  /// How long a program may run after it is ready, ns; nil for the default.
  package var settle: Int64?
  /// Exit statuses that mean success, besides 0.
  package var successes: Set<Int32>?
  package var budgets: [QuantileBudget] = []
  package var options = ComparisonOptions()
  package var inconclusive: InconclusivePolicy?
  /// Whether a live comparison also counts instructions.
  package var countsInstructions = false
  /// The budgets outside of `gate:`: milestones, phases, intervals.
  package var named = BudgetRules()

  /// Launched one after the other, with one verdict.
  package var scenarios: [GateScenario] = []

  /// The upper bound of the ninetieth percentile at 99 % is then the third slowest launch: two outliers do not change a
  /// verdict.
  package static let standardRuns = 90

  package init() {}
}

/// How an inconclusive comparison ends.
package enum InconclusivePolicy: String, CaseIterable, Sendable { case pass, fail, warn }
