// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each metric and budget. docs/gate.md documents the columns.
struct ComparisonCSV {
  let result: GateResult

  static let header =
    "kind,metric,group,unit,base,head,change,change_lower,change_upper,change_percent,change_percent_lower,"
    + "change_percent_upper,adjusted_p,count,design,presence,verdict,quantile,limit,unreached,source" + CSVField.lineEnd

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append(Self.header)
    writeRows(to: &output)
    try output.finish()
  }

  /// The rows of all scenarios, with the scenario's name before each.
  static func write(_ suite: GateSuite, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("scenario," + header)
    for result in suite.results { ComparisonCSV(result: result).writeRows(to: &output) }
    try output.finish()
  }

  private func writeRows(to output: inout OutputBuffer) {
    if let comparison = result.comparison {
      for part in comparison.metrics { write(part, to: &output) }
      for exact in comparison.exact { write(exact, to: &output) }
    }
    if let instructions = result.instructions { write(instructions, to: &output) }
    for check in result.budgets + result.summary { write(check, to: &output) }
  }

  private func write(_ part: MetricComparison, to output: inout OutputBuffer) {
    let shift = part.shift
    let unit = part.metric.unit
    let absolute = [shift.estimate.absolute, shift.lower.absolute, shift.upper.absolute].map { Self.number($0, unit) }
    let relative = [shift.estimate.relative, shift.lower.relative, shift.upper.relative]
      .map { CSVField.number($0 * 100, decimals: 4) }
    var fields = [
      "change", CSVField.text(part.metric.id), part.metric.group.rawValue, part.metric.unit.rawValue,
      Self.number(shift.base, unit), Self.number(shift.shownHead(unit), unit),
    ]
    fields += absolute + relative
    fields += [
      part.adjustedProbability.map { CSVField.number($0, decimals: 9) } ?? "", String(shift.count),
      shift.design.rawValue,
      part.presence.rawValue, part.verdict.name, "", "", "", "",
    ]
    write(fields, to: &output)
  }

  private static func number(_ value: Double, _ unit: Metric.Unit) -> String {
    MetricNumber(value: value, unit: unit).csv
  }

  private func write(_ exact: ExactComparison, to output: inout OutputBuffer) {
    let unit = exact.metric.isBytes ? "bytes" : "count"
    let percent =
      exact.base == 0 ? "" : CSVField.number(Double(exact.difference) / Double(exact.base) * 100, decimals: 4)
    write(
      [
        "exact", exact.metric.rawValue, "exact", unit, String(exact.base), String(exact.head),
        String(exact.difference), "", "", percent, "", "", "", "1", "exact", "both",
        exact.isRegression ? "regressed" : exact.difference < 0 ? "improved" : "no-change", "", "", "", "",
      ], to: &output)
  }

  private func write(_ instructions: InstructionComparison, to output: inout OutputBuffer) {
    let (base, head) = instructions.least
    write(
      [
        "exact", "instructions", "exact", "count", String(base), String(head), String(head - base), "", "",
        CSVField.number(instructions.change * 100, decimals: 4), "", "", "", String(instructions.base.count), "exact",
        "both",
        instructions.verdict.rawValue, "", "", "", "",
      ], to: &output)
  }

  /// The columns of the change's bounds contain those of the quantile.
  private func write(_ check: BudgetCheck, to output: inout OutputBuffer) {
    let isLimited = check.budget.limit.isFinite
    func number(_ value: Double) -> String { Self.number(value, check.metric.unit) }
    write(
      [
        isLimited ? "budget" : "quantile", CSVField.text(check.metric.id),
        check.metric.group.rawValue, check.metric.unit.rawValue, "",
        number(check.estimate), "", number(check.lower), number(check.upper), "", "", "", "",
        String(check.count), "", "", isLimited ? check.verdict.name : "", check.budget.quantileName,
        number(check.budget.limit),
        check.metric.group == .milestone ? String(check.unreached) : "", isLimited ? check.budget.source.rawValue : "",
      ], to: &output)
  }

  private func write(_ fields: [String], to output: inout OutputBuffer) {
    let scenario = result.scenario.map { [CSVField.text($0)] } ?? []
    output.append(CSVField.row(scenario + fields))
  }
}
