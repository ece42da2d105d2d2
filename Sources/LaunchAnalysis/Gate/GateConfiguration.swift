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

  /// Checks the launches of a head against all budgets. The checks also say whether the base is over them.
  ///
  /// - Throws: `BudgetError` for a budget of a metric that no launch has.
  package func checks(
    of head: [Measurement], base: [Measurement], tail: Double
  ) throws(BudgetError) -> (all: [BudgetCheck], named: NamedBudgets) {
    let named = NamedBudgets(named, of: head, base: base, tail: tail)
    return (try BudgetCheck.all(budgets, of: head, base: base, tail: tail) + named.checks, named)
  }

  /// Whether no budget fails the gate, or passes it, only because it has too few launches. A budget that cannot be checked is an
  /// error, which comes at the end.
  ///
  /// - Parameter most: how many launches of the head there may be.
  package func areBudgetsDecided(base: [Measurement], head: [Measurement], tail: Double, most: Int) -> Bool {
    var gate = self
    // A launch of its own finds them, after all others.
    gate.budgets.removeAll { budget in Metric.firstTimes.contains { $0.id == budget.metric } }
    guard let checks = try? gate.checks(of: head, base: base, tail: tail).all else { return true }
    return checks.contains { $0.verdict == .over }
      || !checks.contains { $0.isUndecided || $0.lacksLaunches(of: most) }
  }
}

/// How an inconclusive comparison ends.
package enum InconclusivePolicy: String, CaseIterable, Sendable { case pass, fail, warn }
