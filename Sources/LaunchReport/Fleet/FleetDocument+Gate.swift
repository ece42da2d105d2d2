// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A gate over launches of a fleet.
  package init(_ gate: FleetGate) {
    let compared = gate.comparison.map { FleetDocument($0) }
    let subject = gate.head.isEmpty ? "all launches" : "\(gate.head)"
    title = "\(subject): \(gate.status.rawValue)"
    status = gate.status.rawValue
    longest = max(
      compared?.longest ?? 0, (gate.checks.flatMap { [$0.quantile.estimate, $0.budget.limit] }).max() ?? 0)
    if gate.launches == 0 { sentences.append(Sentence(text: "No record matches the filter.", weight: .bad)) }
    for check in gate.checks where check.verdict == .over {
      sentences.append(
        Sentence(text: "\(check.budget.metric) \(check.budget.quantileName) is over its budget.", weight: .bad))
    }
    for check in gate.shares where check.verdict == .over {
      let text = check.kind == .failed ? "Too many launches fail." : "Too few launches are within their budget."
      sentences.append(Sentence(text: text, weight: .bad))
    }
    sentences += compared?.sentences ?? []
    sheets = [Self.budgets(gate), Self.shares(gate)] + (compared?.sheets ?? [])
    notes = ["\(ComparisonNumbers.grouped(Int64(gate.launches))) records count."]
    if !gate.unknown.isEmpty {
      let names = gate.unknown.map { "\($0.metric) \($0.quantileName)" }
      notes.append("No record has the metric of these budgets: \(FleetComparisonWords.list(names)).")
    }
    if !gate.leftOut.isEmpty {
      let names = gate.leftOut.map { "\($0.metric) \($0.quantileName)" }
      notes.append("Only budgets of times are checked. Left out: \(FleetComparisonWords.list(names)).")
    }
    notes += compared?.notes ?? gate.census.sentences.map { $0 + "." }
  }

  private static func cell(_ verdict: BudgetCheck.Verdict) -> FleetSheet.Cell {
    .verdict(verdict.name, verdict == .over ? .bad : verdict == .within ? .good : .plain)
  }

  private static func budgets(_ gate: FleetGate) -> FleetSheet {
    var sheet = FleetSheet(
      id: "budgets", title: "Budgets (ms)",
      columns: [
        FleetSheet.Column("metric", ""), FleetSheet.Column("quantile", ""), FleetSheet.Column("measured"),
        FleetSheet.Column("limit"), FleetSheet.Column("launches"), FleetSheet.Column("verdict", ""),
      ])
    for check in gate.checks {
      sheet.rows.append([
        .word(check.budget.metric), .word(check.budget.quantileName), .quantile(check.quantile),
        .time(check.budget.limit), .count(Double(check.launches)), cell(check.verdict),
      ])
    }
    return sheet
  }

  private static func shares(_ gate: FleetGate) -> FleetSheet {
    var sheet = FleetSheet(
      id: "shares", title: "Shares of the launches",
      columns: [
        FleetSheet.Column("share", ""), FleetSheet.Column("measured"), FleetSheet.Column("limit"),
        FleetSheet.Column("verdict", ""),
      ])
    for check in gate.shares {
      sheet.rows.append([
        .word(check.kind.rawValue), .share(check.share),
        .share(Proportion(exactly: check.limit)), cell(check.verdict),
      ])
    }
    return sheet
  }
}
