// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A comparison for programs. docs/gate.md documents the members.
struct ComparisonJSON {
  /// Raised if a member changes its meaning or is removed, but not for new members.
  static let schemaVersion = 1

  private let result: GateResult
  private let options: ComparisonReportOptions

  init(_ result: GateResult, options: ComparisonReportOptions) {
    self.result = result
    self.options = options
  }

  func write(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: options.ascii)
    json.object { write(to: &$0) }
    try json.finish()
  }

  /// One object with an array `scenarios`.
  static func write(_ suite: GateSuite, options: ComparisonReportOptions, to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: options.ascii)
    json.object { json in
      json.value("schemaVersion", schemaVersion)
      json.value("status", suite.status.rawValue)
      json.value("confidence", rounded(suite.confidence))
      json.objects("scenarios", suite.results) { ComparisonJSON($1, options: options).write(to: &$0) }
    }
    try json.finish()
  }

  /// The members of the object.
  func write(to json: inout JSONWriter) {
    json.value("schemaVersion", Self.schemaVersion)
    json.value("unit", "ns")
    json.optional("scenario", result.scenario)
    json.value("status", result.status.rawValue)
    json.optional("problem", result.baselineProblem)
    let sentences = ComparisonSentences(result)
    json.texts("reasons", sentences.reasons)
    json.objects("budgets", result.budgets) { Self.write($1, to: &$0) }
    json.objects("quantiles", result.summary) { Self.write($1, to: &$0) }
    if let comparison = result.comparison { json.object("comparison") { write(comparison, to: &$0) } }
    if let instructions = result.instructions { json.object("instructions") { Self.write(instructions, to: &$0) } }
    let launches: [(launch: Measurement, side: String?)] =
      if let comparison = result.comparison {
        comparison.base.map { ($0, "base") } + comparison.head.map { ($0, "head") }
      } else {
        result.launches.map { ($0, $0.provenance.side) }
      }
    json.objects("launches", launches) { Self.write($1.launch, side: $1.side, to: &$0) }
  }

  private func write(_ comparison: LaunchComparison, to json: inout JSONWriter) {
    json.value("outcome", comparison.outcome.name)
    if !comparison.decidedBy.isEmpty { json.value("decidedBy", comparison.decidedBy) }
    if case .decided(.inconclusive(let runs?)) = comparison.outcome { json.value("furtherRuns", runs) }
    json.value("confidence", Self.rounded(1 - 2 * comparison.options.tail))
    // As text, because numbers in JSON have 53 bits.
    json.value("seed", String(comparison.options.seed))
    json.value("baseLaunches", comparison.counted.base.count)
    json.value("headLaunches", comparison.counted.head.count)
    if let design = comparison.total?.shift.design { json.value("design", design.rawValue) }
    json.objects("differences", comparison.differences) { json, difference in
      json.value("field", difference.field.rawValue)
      json.texts("base", difference.base)
      json.texts("head", difference.head)
      json.value("allowed", difference.isAllowed)
    }
    let parts = [comparison.total, comparison.cpu].compactMap(\.self) + comparison.parts
    json.objects("metrics", parts) { Self.write($1, to: &$0) }
    json.objects("exact", comparison.exact) { json, exact in
      json.value("metric", exact.metric.rawValue)
      json.value("base", exact.base)
      json.value("head", exact.head)
      json.texts("added", exact.added)
      json.texts("removed", exact.removed)
      json.value("regressed", exact.isRegression)
    }
    json.texts("guilty", comparison.guilty.map(\.metric.id))
    let flame = comparison.flame
    json.texts("mostGrown", flame.mostGrown)
    json.objects("flame", flame.nodes) { json, node in
      json.value("name", node.name)
      json.value("depth", node.depth)
      json.value("base", node.base)
      json.value("head", node.head)
      json.value("ownGrowth", node.ownGrowth)
    }
  }

  private static func write(_ instructions: InstructionComparison, to json: inout JSONWriter) {
    json.value("means", instructions.means)
    for (name, counts) in [("base", instructions.base), ("head", instructions.head)] {
      json.column(name, counts.compactMap(\.self))
    }
    if let threads = instructions.threads { json.value("threads", threads) }
    json.value("change", rounded(instructions.change))
    json.value("allowed", rounded(instructions.allowed))
    json.value("verdict", instructions.verdict.name)
    json.optional("problem", instructions.problem)
  }

  private static func write(_ part: MetricComparison, to json: inout JSONWriter) {
    json.value("metric", part.metric.id)
    json.value("group", part.metric.group.rawValue)
    json.value("unit", part.metric.unit.rawValue)
    json.value("base", part.shift.base)
    json.value("head", part.shift.head)
    // A value that needs more launches is null.
    for (name, change) in [
      ("change", part.shift.estimate), ("lower", part.shift.lower), ("upper", part.shift.upper),
    ] {
      json.object(name) { json in
        json.value("absolute", Self.rounded(change.absolute))
        json.value("relative", Self.rounded(change.relative))
      }
    }
    if let probability = part.shift.probability { json.value("p", Self.rounded(probability)) }
    if let adjusted = part.adjustedProbability { json.value("adjustedP", Self.rounded(adjusted)) }
    json.object("thresholds") { json in
      json.value("absolute", part.thresholds.absolute)
      json.value("relative", part.thresholds.relative)
    }
    json.value("presence", part.presence.rawValue)
    json.value("verdict", part.verdict.name)
    if case .inconclusive(let runs?) = part.verdict { json.value("furtherRuns", runs) }
  }

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
    json.value("metric", check.metric.id)
    json.value("unit", check.metric.unit.rawValue)
    json.value("quantile", check.budget.fraction)
    if check.budget.limit.isFinite { json.value("limit", check.budget.limit) }
    json.value("estimate", check.estimate)
    json.value("lower", check.lower)
    json.value("upper", check.upper)
    json.value("launches", check.count)
    if let base = check.base { json.value("base", base) }
    json.value("verdict", check.verdict.name)
    if case .inconclusive(let runs?) = check.verdict { json.value("furtherRuns", runs) }
  }

  private static func write(_ launch: Measurement, side: String?, to json: inout JSONWriter) {
    json.value("file", launch.name)
    json.optional("leftOut", launch.leftOut?.rawValue)
    json.optional("side", side)
    json.value("session", launch.provenance.session)
    json.value("round", launch.provenance.round)
    json.value("total", launch.values[.total] ?? 0)
  }
}
