// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each metric and budget. docs/gate.md documents the columns.
struct ComparisonCSV {
  private let result: GateResult

  static let header =
    "kind,metric,group,unit,base,head,change,change_lower,change_upper,change_percent,change_percent_lower,"
    + "change_percent_upper,adjusted_p,count,design,presence,verdict,quantile,limit" + CSVField.lineEnd

  init(_ result: GateResult) { self.result = result }

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append(Self.header)
    writeRows(to: &output)
    try output.finish()
  }

  /// The same rows, with the scenario's name before each.
  static func write(_ suite: GateSuite, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("scenario," + header)
    for result in suite.results { ComparisonCSV(result).writeRows(to: &output) }
    try output.finish()
  }

  private func writeRows(to output: inout OutputBuffer) {
    if let comparison = result.comparison {
      for part in [comparison.total, comparison.cpu].compactMap(\.self) + comparison.parts { write(part, to: &output) }
      for exact in comparison.exact { write(exact, to: &output) }
    }
    if let instructions = result.instructions { write(instructions, to: &output) }
    for check in result.budgets + result.summary { write(check, to: &output) }
  }

  private func write(_ part: MetricComparison, to output: inout OutputBuffer) {
    let shift = part.shift
    let absolute = [shift.estimate.absolute, shift.lower.absolute, shift.upper.absolute].map { Self.number($0) }
    let relative = [shift.estimate.relative, shift.lower.relative, shift.upper.relative]
      .map { Self.number($0 * 100, digits: 4) }
    var fields = [
      "change", CSVField.text(part.metric.id), part.metric.group.rawValue, part.metric.unit.rawValue,
      Self.number(shift.base), Self.number(shift.head),
    ]
    fields += absolute + relative
    fields += [
      part.adjustedProbability.map { Self.number($0, digits: 9) } ?? "", String(shift.count), shift.design.rawValue,
      part.presence.rawValue, part.verdict.name, "", "",
    ]
    write(fields, to: &output)
  }

  private func write(_ exact: ExactComparison, to output: inout OutputBuffer) {
    let unit = exact.metric.isBytes ? "bytes" : "count"
    let percent = exact.base == 0 ? "" : Self.number(Double(exact.difference) / Double(exact.base) * 100, digits: 4)
    write(
      [
        "exact", exact.metric.rawValue, "exact", unit, String(exact.base), String(exact.head),
        String(exact.difference), "", "", percent, "", "", "", "1", "exact", "both",
        exact.isRegression ? "regressed" : exact.difference < 0 ? "improved" : "no-change", "", "",
      ], to: &output)
  }

  private func write(_ instructions: InstructionComparison, to output: inout OutputBuffer) {
    let (base, head) = instructions.least
    write(
      [
        "exact", "instructions", "exact", "count", String(base), String(head), String(head - base), "", "",
        Self.number(instructions.change * 100, digits: 4), "", "", "", String(instructions.base.count), "exact", "both",
        instructions.verdict.name, "", "",
      ], to: &output)
  }

  private func write(_ check: BudgetCheck, to output: inout OutputBuffer) {
    write(
      [
        check.budget.limit.isFinite ? "budget" : "quantile", CSVField.text(check.metric.id),
        check.metric.group.rawValue, check.metric.unit.rawValue, "",
        Self.number(check.estimate), "", Self.number(check.lower), Self.number(check.upper), "", "", "", "",
        String(check.count), "", "", check.verdict.name, check.budget.quantileName, Self.number(check.budget.limit),
      ], to: &output)
  }

  private func write(_ fields: [String], to output: inout OutputBuffer) {
    let scenario = result.scenario.map { [CSVField.text($0)] } ?? []
    output.append(CSVField.row(scenario + fields))
  }

  /// With a fixed number of decimals; empty for numbers that are not finite. (In rows of budgets, the columns of the
  /// change's bounds contain those of the quantile.)
  private static func number(_ value: Double, digits: Int = 0) -> String {
    guard value.isFinite, abs(value) < 9e15 else { return "" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = abs(value) * scale
    guard digits > 0, scaled < 9e15 else { return String(Int64(value.rounded())) }
    return DecimalText.text(Int64((value * scale).rounded()), decimals: digits)
  }
}
