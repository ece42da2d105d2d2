// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A gate over launches of a fleet.
  package init(_ gate: FleetGate) {
    let compared = gate.comparison.map { FleetDocument($0) }
    let subject = gate.head.isEmpty ? "all launches" : "\(gate.head)"
    title = "\(subject): \(gate.status.rawValue.replacing("-", with: " "))"
    status = gate.status.rawValue
    times =
      compared?.times
      ?? gate.checks.filter { Self.unit(of: $0.budget.metric) == .nanoseconds }.map(\.quantile.estimate)
    let failures = gate.unlimitedFailures.flatMap(Self.sentence(unlimitedFailures:))
    let numbers = ComparisonNumbers(times: times, ascii: false)
    let problems = Self.problems(gate, numbers) + (gate.mostFailed ? [failures].compactMap(\.self) : [])
    sentences = problems.map { Sentence(text: $0, ink: .bad) } + (compared?.sentences ?? [])
    facts = compared?.facts ?? []
    sheets = [Self.budgets(gate), Self.shares(gate)] + (compared?.sheets ?? [])
    notes = ["\(DecimalText.grouped(gate.launches)) records count."]
    if let failures, !gate.mostFailed { notes.append(failures) }
    // Most launches have only some of the phases. A milestone is one that each launch is expected to reach.
    var named: Set<String> = []
    for check in gate.checks where check.budget.metric.hasPrefix("milestone/") && check.launches < gate.launches {
      guard named.insert(check.budget.metric).inserted else { continue }
      let missing = DecimalText.grouped(gate.launches - check.launches)
      notes.append("\(missing) of them have no \(check.budget.metric), and the budget leaves them out.")
    }
    if let note = Self.note(mixedContexts: gate.mixedContexts) {
      notes.append(note + "--where context=userLaunch selects launches for a person.")
    }
    if !gate.leftOut.isEmpty {
      notes.append("Only budgets of times are checked. Left out: \(Self.list(gate.leftOut)).")
    }
    notes += compared?.notes ?? []
    exclusions = gate.census.notes
  }

  /// The limits that are broken, undecided or unchecked.
  private static func problems(_ gate: FleetGate, _ numbers: ComparisonNumbers) -> [String] {
    var texts = gate.launches == 0 ? ["No record matches the filter."] : []
    texts += gate.checks.filter { $0.verdict == .over }.map { broken($0, numbers) }
    for check in gate.checks where check.launches > 0 {
      if case .inconclusive = check.verdict { texts.append(undecided(list([check.budget]))) }
    }
    for check in gate.shares {
      switch check.verdict {
      case .over: texts.append(broken(check))
      case .inconclusive: texts.append(undecided(check, numbers))
      case .within: break
      }
    }
    return gate.launches == 0 ? texts : texts + unchecked(gate)
  }

  private static func list(_ budgets: [QuantileBudget]) -> String {
    FleetComparisonWords.list(budgets.map { "\($0.metric) \($0.quantileName)" })
  }

  /// `total p50 10.45 ms (9.32 … 11.39) is over the budget of 9 ms.`
  private static func broken(_ check: FleetGate.Check, _ numbers: ComparisonNumbers) -> String {
    let (quantile, limit) = (check.quantile, numbers.budget(check.budget.limit, .nanoseconds))
    return "\(list([check.budget])) \(numbers.withUnit(quantile.estimate, .nanoseconds)) "
      + "(\(numbers.interval(quantile.lower, quantile.upper, .nanoseconds))) is over the budget of \(limit)."
  }

  /// `Too few launches are within their budget: 86.5 %, and at least 99 % should be.`
  private static func broken(_ check: FleetGate.ShareCheck) -> String {
    let share = FleetCellText.percent(check.share.estimate, unlike: check.limit)
    let limit = DecimalText.percent(check.limit)
    return switch check.kind {
    case .failed: "Too many launches fail: \(share), and at most \(limit) may."
    case .within: "Too few launches are within their budget: \(share), and at least \(limit) should be."
    }
  }

  private static func undecided(_ measured: String) -> String {
    "The interval of \(measured) contains its limit, so the launches do not decide. \(whatDecides)"
  }

  /// `0.68 % of the launches failed (0.46 … 1.002 %), and at most 1 % may. …`
  private static func undecided(_ check: FleetGate.ShareCheck, _ numbers: ComparisonNumbers) -> String {
    let share = FleetCellText.percent(check.share.estimate, unlike: check.limit)
    let interval = FleetCellText.interval(check.share, unlike: check.limit, numbers)
    let limit = DecimalText.percent(check.limit)
    let sentence =
      switch check.kind {
      case .failed: "\(share) of the launches failed (\(interval)), and at most \(limit) may."
      case .within: "\(share) of the launches are within their budget (\(interval)), and at least \(limit) should be."
      }
    return sentence + " The limit is inside the interval, so the launches do not decide. \(whatDecides)"
  }

  private static let whatDecides = "Collect more launches, or set a limit outside of the interval."

  /// nil if no launch failed.
  private static func sentence(unlimitedFailures share: Proportion) -> String? {
    guard share.estimate > 0 else { return nil }
    let part = DecimalText.percent(measured: share.estimate)
    return "\(part) of the launches failed. Budgets are only for those that completed; --failed limits the others."
  }

  /// The limits that nothing was held against.
  private static func unchecked(_ gate: FleetGate) -> [String] {
    var texts: [String] = []
    if !gate.unknown.isEmpty {
      texts.append("Not checked, because no record has the metric: \(list(gate.unknown)).")
    }
    if gate.unknownShares.contains(.within) {
      texts.append("--within was not checked, because no launch has a budget of its own.")
    }
    if gate.unknownShares.contains(.failed) {
      texts.append("--failed was not checked, because histograms have only launches that completed.")
    }
    return texts
  }

  private static func cell(_ verdict: BudgetCheck.Verdict) -> FleetSheet.Cell {
    .verdict(verdict.name, verdict == .over ? .bad : verdict == .within ? .good : .plain)
  }

  private static func budgets(_ gate: FleetGate) -> FleetSheet {
    FleetSheet(
      "budgets", "Budgets (ms)", hasRoom: true, gate.checks,
      [
        Field("metric", "") { .word($0.budget.metric) },
        Field("quantile", "") { .word($0.budget.quantileName) },
        Field("measured", as: .estimate) { .quantile($0.quantile, .nanoseconds) },
        Field("limit") { .time($0.budget.limit) },
        Field("launches", "records") { .count(Double($0.launches)) },
        Field("verdict", "") { cell($0.verdict) },
      ])
  }

  private static func shares(_ gate: FleetGate) -> FleetSheet {
    FleetSheet(
      "shares", "Shares of the launches", hasRoom: true, gate.shares,
      [
        Field("share", "") { .word($0.kind.rawValue) },
        Field("measured", as: .estimate) { .limitedShare($0.share, limit: $0.limit) },
        Field("limit") { .share(Proportion(exactly: $0.limit)) },
        Field("verdict", "") { cell($0.verdict) },
      ])
  }
}
