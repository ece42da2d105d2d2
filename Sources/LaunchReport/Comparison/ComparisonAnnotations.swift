// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// Workflow commands of GitHub Actions: one for the verdict, for each broken budget at its line of the file, for what was
/// linked in addition, and for what grew.
package struct ComparisonAnnotations {
  private let sentences: ComparisonSentences

  init(_ result: GateResult) { sentences = ComparisonSentences(result) }

  private var result: GateResult { sentences.result }

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    // First, because GitHub shows at most ten errors of a step.
    writeVerdict(to: &output)
    writeBudgets(to: &output)
    writeGrowth(to: &output)
    writeUnchecked(result.unchecked, to: &output)
    try output.finish()
  }

  static func write(_ suite: GateSuite, to sink: any ByteSink) throws {
    for result in suite.results { try ComparisonAnnotations(result).write(to: sink) }
    var output = OutputBuffer(sink)
    ComparisonAnnotations(GateResult(comparison: nil, launches: [])).writeUnchecked(suite.unchecked, to: &output)
    try output.finish()
  }

  /// Says that nothing was checked, because no launch has what the budgets name, and lists these.
  package static func writeNothingChecked(_ results: [GateResult], to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    for annotations in results.map(Self.init) {
      annotations.write(
        "error", "no launch has what the budgets name", at: nil, title: "nothing was checked", to: &output)
      annotations.writeBudgets(to: &output)
    }
    try output.finish()
  }

  private func writeVerdict(to output: inout OutputBuffer) {
    let level =
      switch result.status {
      case .passed where result.comparison?.tailGrowth != nil: "warning"
      case .passed, .improved: "notice"
      case .inconclusive: "warning"
      case .launchFailed, .baselineMissing, .incomparable, .overBudget, .regressed: "error"
      }
    let budgets = Set(result.budgets.map(sentences.sentence))
    let exact = Set((result.comparison?.exact ?? []).map(sentences.sentence))
    let reasons = sentences.reasons.filter { !budgets.contains($0) && !exact.contains($0) }
    // The budgets themselves have annotations of their own, at their lines.
    let summary = [sentences.budgetSummary].compactMap(\.self)
    let areKept = result.budgets.allSatisfy { $0.verdict == .within }
    let measured = result.summary.map(sentences.sentence)
    let method = [sentences.method.joined(separator: ", ")].filter { !$0.isEmpty }
    let lines =
      measured + (areKept ? reasons + summary : summary + reasons) + method
      + [result.baseline?.sentence].compactMap(\.self).map { PlainName.escaped($0) }
    write(level, lines.joined(separator: "\n"), at: nil, title: sentences.headline, to: &output)
  }

  private func writeBudgets(to output: inout OutputBuffer) {
    for check in result.budgets {
      switch check.verdict {
      case .within: break
      case .over: write("error", sentences.sentence(check), at: check.budget.place, title: "over budget", to: &output)
      case .inconclusive:
        write("warning", sentences.sentence(check), at: check.budget.place, title: "inconclusive", to: &output)
      }
    }
    for budget in result.unmatched {
      write("warning", sentences.sentence(budget), at: budget.place, title: "unused budget", to: &output)
    }
  }

  private func writeUnchecked(_ notes: [String], to output: inout OutputBuffer) {
    for note in notes { write("warning", PlainName.escaped(note), at: nil, title: "not checked", to: &output) }
  }

  private func writeGrowth(to output: inout OutputBuffer) {
    for exact in result.comparison?.exact ?? [] where exact.isRegression {
      write("error", sentences.sentence(exact), at: nil, title: "\(exact.metric.rawValue) grew", to: &output)
    }
    if let instructions = result.instructions {
      let sentence = sentences.sentence(instructions)
      switch instructions.verdict {
      case .regressed where result.instructionsRegressed:
        write("error", sentence, at: nil, title: "instructions grew", to: &output)
      case .unknown: write("warning", sentence, at: nil, title: "instructions not compared", to: &output)
      case .regressed, .improved, .noChange: break
      }
    }
    if let guilt = sentences.guilt { write("error", guilt, at: nil, title: "what grew", to: &output) }
  }

  private func write(
    _ level: String, _ text: String, at place: QuantileBudget.FileLine?, title: String, to output: inout OutputBuffer
  ) {
    let scenario = result.scenario.map { " (\(PlainName.escaped($0)))" } ?? ""
    let file = place.map { "file=\(Self.property($0.file)),line=\($0.line)," } ?? ""
    output.append("::\(level) \(file)title=\(Self.property("Launch: \(title)\(scenario)"))::\(Self.data(text))\n")
  }

  /// Escapes a message, like GitHub's toolkit.
  private static func data(_ text: String) -> String {
    text.replacing(scalars: ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// Escapes a property, which ends with `,` or `::`.
  private static func property(_ text: String) -> String { data(text).replacing(scalars: [":": "%3A", ",": "%2C"]) }
}
