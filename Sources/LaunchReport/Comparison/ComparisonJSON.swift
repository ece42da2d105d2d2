// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A comparison for programs. docs/gate.md documents the members.
struct ComparisonJSON {
  /// Raised if a member changes its meaning or is removed, but not for new members.
  static let schemaVersion = 1

  let result: GateResult
  let options: ComparisonReportOptions

  func write(to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink, ascii: options.ascii) { write(to: &$0) }
  }

  /// One object with an array `scenarios`.
  static func write(_ suite: GateSuite, options: ComparisonReportOptions, to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink, ascii: options.ascii) { json in
      json.values([
        "schemaVersion": schemaVersion, "status": suite.status.rawValue,
        "confidence": confidence(suite.confidence),
      ])
      if !suite.unchecked.isEmpty { json.texts("unchecked", suite.unchecked) }
      json.objects("scenarios", suite.results) { ComparisonJSON(result: $1, options: options).write(to: &$0) }
    }
  }

  /// The members of the object.
  func write(to json: inout JSONWriter) {
    json.values([
      "schemaVersion": Self.schemaVersion, "unit": "ns", "scenario": result.scenario,
      "status": result.status.rawValue, "interrupted": result.isInterrupted ? true : nil,
      "problem": result.baselineProblem, "baselineCommit": result.baseline?.id,
      "baselineAdded": result.baseline?.added,
    ])
    let sentences = ComparisonSentences(result)
    json.texts("reasons", sentences.reasons + sentences.otherBudgets)
    if !result.notes.isEmpty { json.texts("notes", result.notes) }
    if !result.unchecked.isEmpty { json.texts("unchecked", result.unchecked) }
    json.objects("budgets", result.budgets) { Self.write($1, to: &$0) }
    if !result.unmatched.isEmpty { json.texts("unusedBudgets", result.unmatched.map(\.name)) }
    json.objects("quantiles", result.summary) { Self.write($1, to: &$0) }
    if let comparison = result.comparison { json.object("comparison") { write(comparison, to: &$0) } }
    if let instructions = result.instructions { json.object("instructions") { Self.write(instructions, to: &$0) } }
    let launches: [(launch: Measurement, side: String?)] =
      if result.comparison != nil {
        result.sides.base.map { ($0, "base") } + result.sides.head.map { ($0, "head") }
      } else {
        result.launches.map { ($0, $0.provenance.side) }
      }
    json.objects("launches", launches) { Self.write($1.launch, side: $1.side, to: &$0) }
  }

  private func write(_ comparison: LaunchComparison, to json: inout JSONWriter) {
    json.value("outcome", comparison.outcome.name)
    if !comparison.decidedBy.isEmpty { json.value("decidedBy", comparison.decidedBy) }
    if case .decided(.inconclusive(.runs(let runs))) = comparison.outcome { json.value("furtherRuns", runs) }
    json.values([
      "confidence": Self.confidence(1 - 2 * comparison.options.tail),
      // As text, because numbers in JSON have 53 bits.
      "seed": String(comparison.options.seed), "baseLaunches": comparison.counted.base.count,
      "headLaunches": comparison.counted.head.count, "design": comparison.total?.shift.design.rawValue,
    ])
    json.objects("differences", comparison.differences) { json, difference in
      json.value("field", difference.field.rawValue)
      json.texts("base", difference.base)
      json.texts("head", difference.head)
      json.value("allowed", difference.isAllowed)
    }
    json.objects("metrics", comparison.metrics) { Self.write($1, to: &$0) }
    json.objects("exact", comparison.exact) { json, exact in
      json.values(["metric": exact.metric.rawValue, "base": exact.base, "head": exact.head])
      json.texts("added", exact.added)
      json.texts("removed", exact.removed)
      json.value("regressed", exact.isRegression)
    }
    json.texts("guilty", comparison.guilty.map(\.metric.id))
    let flame = comparison.flame
    json.texts("mostGrown", flame.mostGrown)
    json.objects("flame", flame.nodes) { json, node in
      json.values([
        "name": node.name, "depth": node.depth, "base": node.base, "head": node.head, "ownGrowth": node.ownGrowth,
      ])
    }
  }

  private static func write(_ instructions: InstructionComparison, to json: inout JSONWriter) {
    json.value("means", instructions.means)
    for (name, counts) in [("base", instructions.base), ("head", instructions.head)] {
      json.column(name, counts.compactMap(\.self))
    }
    json.values([
      "threads": instructions.threads, "change": rounded(instructions.change),
      "allowed": rounded(instructions.allowed), "verdict": instructions.verdict.rawValue,
      "problem": instructions.problem,
    ])
  }

  static func write(_ part: MetricComparison, to json: inout JSONWriter) {
    json.values([
      "metric": part.metric.id, "group": part.metric.group.rawValue, "unit": part.metric.unit.rawValue,
      "base": part.shift.base, "head": rounded(part.shift.head),
    ])
    // A value that needs more launches is null.
    for (name, change) in [
      ("change", part.shift.estimate), ("lower", part.shift.lower), ("upper", part.shift.upper),
    ] {
      json.object(name) { $0.values(["absolute": rounded(change.absolute), "relative": rounded(change.relative)]) }
    }
    json.values([
      "p": part.shift.probability.map(rounded), "adjustedP": part.adjustedProbability.map(rounded),
    ])
    json.object("thresholds") {
      $0.values(["absolute": part.thresholds.absolute, "relative": part.thresholds.relative])
    }
    json.values(["presence": part.presence.rawValue, "verdict": part.verdict.name])
    if case .inconclusive(.runs(let runs)) = part.verdict { json.value("furtherRuns", runs) }
  }

  /// With the digits that it was given.
  private static func confidence(_ share: Double) -> Double { (share * 1e14).rounded() / 1e14 }

  /// Nine digits, because further digits differ between machines.
  private static func rounded(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    var (scaled, steps) = (abs(value), 0)
    while scaled < 1e8, steps < 400 { (scaled, steps) = (scaled * 10, steps + 1) }
    while scaled >= 1e9 { (scaled, steps) = (scaled / 10, steps - 1) }
    let digits = "\(value < 0 ? "-" : "")\(Int64(scaled.rounded()))e\(-steps)"
    return Double(digits) ?? value
  }

  static func write(_ check: BudgetCheck, to json: inout JSONWriter) {
    json.values([
      "metric": check.metric.id, "unit": check.metric.unit.rawValue, "quantile": check.budget.fraction,
      "limit": check.budget.limit.isFinite ? check.budget.limit : nil, "estimate": check.estimate,
      "lower": check.lower, "upper": check.upper, "launches": check.count,
      "unreached": check.unreached > 0 ? check.unreached : nil, "base": check.base,
      "verdict": check.budget.limit.isFinite ? check.verdict.name : nil,
      "source": check.budget.limit.isFinite ? check.budget.source.rawValue : nil,
    ])
    if case .inconclusive(let runs?) = check.verdict { json.value("furtherRuns", runs) }
  }

  private static func write(_ launch: Measurement, side: String?, to json: inout JSONWriter) {
    json.values([
      "file": launch.name, "leftOut": launch.leftOut?.rawValue,
      "failure": launch.failure.map { FailedLaunches.words($0, isPlural: false) }, "side": side,
      "session": launch.provenance.session, "round": launch.provenance.round, "total": launch.values[.total] ?? 0,
    ])
  }
}
