// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// The sentences about budgets.
extension ComparisonSentences {
  /// Budgets that are broken or undecided, but are not why the result is as it is: they come after what is.
  var otherBudgets: [String] {
    let others = result.budgets.filter { $0.verdict != .within && !isReason($0) }
    let undecided = others.filter { $0.verdict != .over }
    // Beside something graver, the names of several are enough.
    guard [.launchFailed, .overBudget, .regressed].contains(result.status), undecided.count > 1 else {
      return others.map(sentence)
    }
    return others.filter { $0.verdict == .over }.map(sentence) + ["undecided budgets: \(names(undecided))"]
  }

  /// `total p90, phase load p90 and 2 more`
  func names(_ checks: [BudgetCheck]) -> String {
    checks.lazy.map { "\(Self.label($0.metric)) \($0.budget.quantileName)" }.listed(Self.mostNames)
  }

  /// Says that other programs had the processor, if a total over its budget would be within it without them; nil otherwise.
  var busyMachine: String? {
    guard result.status == .overBudget else { return nil }
    for check in result.budgets where check.verdict == .over && check.metric == .total {
      guard let wait = ProcessorWait(result.sides.head, fraction: check.budget.fraction),
        wait.onCore <= check.budget.limit
      else { continue }
      return wait.sentence(ascii: numbers.isASCII) + ": measure on a quiet machine, or set a budget of on-core"
    }
    return nil
  }

  /// Whether a budget is why the result is as it is.
  func isReason(_ check: BudgetCheck) -> Bool {
    switch check.verdict {
    case .within: false
    case .over: result.status == .overBudget
    case .inconclusive: result.status == .inconclusive && !check.isAsUndecidedAsBase
    }
  }

  func sentence(_ budget: NamedBudgets.Unmatched) -> String { PlainName.escaped(budget.sentence) }

  func sentence(_ check: BudgetCheck) -> String {
    let unit = check.metric.unit
    let unreached = check.unreached == 0 ? "" : "; \(check.unreached) of \(check.count) launches never reached it"
    let what =
      "\(Self.label(check.metric)) \(check.budget.quantileName) \(numbers.withUnit(check.estimate, unit)) "
      + "(\(interval(check))\(unreached))"
    guard check.budget.limit.isFinite else { return what }
    let limit = numbers.budget(check.budget.limit, unit)
    switch check.verdict {
    case .within: return "\(what) is within the budget of \(limit)"
    case .over:
      let base = check.base.map { numbers.withUnit($0, unit) } ?? ""
      return "\(what) is over the budget of \(limit)" + (check.isBaseOver ? "; so is the base with \(base)" : "")
    case .inconclusive(let runs):
      if check.isAsUndecidedAsBase { return "\(what) may or may not be over the budget of \(limit); so may the base" }
      return "\(what) may or may not be over the budget of \(limit)"
        + ((mayMoreDecide ? runs : nil).map {
          "; \(DecimalText.counted($0, "more launch")) would probably be enough\(effort($0))"
        } ?? "")
    }
  }

  /// `48.93 … 52.10`, `at least 48.93; an upper end needs 51 launches`.
  private func interval(_ check: BudgetCheck) -> String {
    let unit = check.metric.unit
    guard check.lower.isFinite, let needed = check.launchesForUpperEnd else {
      return numbers.interval(check.lower, check.upper, unit)
    }
    let least = "at least \(numbers.value(check.lower, unit))"
    // Then the sentence ends with how many more launches decide.
    if case .inconclusive(.some) = check.verdict, !check.isAsUndecidedAsBase { return least }
    return "\(least); an upper end needs \(needed) launches"
  }
}
