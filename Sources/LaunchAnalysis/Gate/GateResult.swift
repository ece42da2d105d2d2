// SPDX-License-Identifier: Apache-2.0

/// The result of a gate or a comparison.
package struct GateResult: Sendable {
  /// In the order in which they are checked: the first that applies is the status.
  package enum Status: String, Sendable, CaseIterable {
    case launchFailed = "launch-failed"
    case overBudget = "over-budget"
    case baselineMissing = "baseline-missing"
    case incomparable
    case regressed
    case inconclusive
    case improved
    case passed
  }

  /// The scenario's name, if there are several.
  package var scenario: String?
  /// nil when there is no baseline to compare with.
  package var comparison: LaunchComparison?
  package var budgets: [BudgetCheck]
  /// nil when they were not counted.
  package var instructions: InstructionComparison?
  /// All launches that were judged, also those that do not count.
  package var launches: [Measurement]
  /// All launches of a live comparison, also those after it was decided, which only budgets needed; nil for other launches.
  package var measured: (base: [Measurement], head: [Measurement])?
  /// nil when the baseline is not of the history.
  package var baseline: BaselineCommit?
  /// Why there is no comparison though one was asked for.
  package var baselineProblem: String?
  /// Why there is no baseline, if the user allows that; nil otherwise.
  package var allowedProblem: String?
  /// The error allowed on each side of a quantile's interval.
  package var tail = ComparisonOptions().tail
  /// Quantiles that the result shows, but that have no budget.
  package var summary: [BudgetCheck] = []
  /// Why the programs of a live comparison were not launched from equal copies, unless that was asked for; nil if they were.
  package var launchedInPlace: String?
  /// What else the reader should know, in sentences.
  package var notes: [String] = []
  /// What was not checked or compared, in sentences. The verdict alone would hide it.
  package var unchecked: [String] = []
  /// Budgets of names that no launch has; `notes` lists them, too.
  package var unmatched: [NamedBudgets.Unmatched] = []
  /// Why launchprof itself stopped the launches before the result was certain; nil if it did not.
  package var stopped: String?
  /// How fast the launches were made; nil if they were recorded before.
  package var pace: LivePace?
  /// Whether the user stopped the launches before the result was certain.
  package var isInterrupted = false
  /// Whether an inconclusive result is a failure.
  package var inconclusiveFails = true

  package init(comparison: LaunchComparison?, budgets: [BudgetCheck] = [], launches: [Measurement]) {
    (self.comparison, self.budgets, self.launches) = (comparison, budgets, launches)
  }

  /// All that the reader should know besides the verdict.
  package var remarks: [String] { notes + unchecked }

  /// All launches of each side; without a comparison, all are the head's.
  package var sides: (base: [Measurement], head: [Measurement]) {
    measured ?? comparison.map { ($0.base, $0.head) } ?? ([], launches)
  }

  /// Launches that failed fail a gate: they may be what the change did.
  package var failed: [Measurement] { launches.filter { $0.leftOut == .failed } }

  package var status: Status {
    // Without a baseline, or after an interruption, nothing may have been launched at all.
    let isUnlaunched = launches.isEmpty && (baselineProblem != nil || isInterrupted)
    if !failed.isEmpty || !isUnlaunched && launches.allSatisfy({ $0.leftOut != nil }) { return .launchFailed }
    if budgets.contains(where: { $0.verdict == .over }) { return .overBudget }
    if baselineProblem != nil { return .baselineMissing }
    switch comparison?.outcome {
    case .incomparable: return .incomparable
    case .nothingToCompare: return isInterrupted ? .inconclusive : .baselineMissing
    case .decided(.regressed): return .regressed
    case .decided(.inconclusive) where instructionsRegressed, .decided(.noChange) where instructionsRegressed:
      return .regressed
    case .decided(.inconclusive): return .inconclusive
    case .decided(.improved): return isUndecided ? .inconclusive : .improved
    case .decided(.noChange), nil: return isUndecided ? .inconclusive : .passed
    }
  }

  /// Whether it passed only because no launch has what its budgets name: such a gate would never fail.
  package var checkedNothing: Bool { status == .passed && comparison == nil && budgets.isEmpty && !unmatched.isEmpty }

  /// Whether the head executes more instructions, and this is a regression. In less time, it is none.
  package var instructionsRegressed: Bool {
    switch comparison?.outcome {
    case .decided(.improved), .incomparable, .nothingToCompare, nil: false
    case .decided: instructions?.verdict == .regressed
    }
  }

  /// Launches that were interrupted pass nothing.
  private var isUndecided: Bool { isInterrupted || budgets.contains(where: \.isUndecided) }
}
