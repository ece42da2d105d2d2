// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A comparison for a pull request or a job's summary. The verdict is visible, and the flame trees are folded.
struct ComparisonMarkdown {
  private let options: ComparisonReportOptions
  private let sentences: ComparisonSentences

  private var numbers: ComparisonNumbers { sentences.numbers }

  init(_ result: GateResult, options: ComparisonReportOptions) {
    self.options = options
    sentences = ComparisonSentences(result, ascii: options.ascii)
  }

  private var result: GateResult { sentences.result }

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("### Launch: \(sentences.headline)\n\n")
    let others = sentences.otherBudgets + result.summary.map(sentences.sentence)
    for reason in sentences.reasons { output.append("- \(MarkdownRenderer.escaped(reason))\n") }
    if let guilt = sentences.guilt { output.append("- **\(MarkdownRenderer.escaped(guilt))**\n") }
    for sentence in others { output.append("- \(MarkdownRenderer.escaped(sentence))\n") }
    if !sentences.reasons.isEmpty || !others.isEmpty { output.append("\n") }
    writeBudgets(to: &output)
    if let comparison = result.comparison, comparison.total != nil {
      writeTable(comparison, to: &output)
      writeExact(comparison, to: &output)
      writeFlame(to: &output)
    }
    let facts = sentences.method + sentences.leftOut + result.remarks
    output.append(facts.map(MarkdownRenderer.escaped).joined(separator: " · ") + "\n")
    try output.finish()
  }

  private func writeBudgets(to output: inout OutputBuffer) {
    guard !result.budgets.isEmpty else { return }
    output.append("| Budget | measured | interval | allowed | |\n|---|---:|---:|---:|---|\n")
    for check in result.budgets {
      let unit = check.metric.unit
      let cells = [
        "\(ComparisonSentences.label(check.metric)) \(check.budget.quantileName)",
        numbers.withUnit(check.estimate, unit), numbers.interval(check.lower, check.upper, unit),
        numbers.budget(check.budget.limit, unit), check.verdict.name,
      ]
      output.append(MarkdownRenderer.row(cells))
    }
    output.append("\n")
  }

  private func writeTable(_ comparison: LaunchComparison, to output: inout OutputBuffer) {
    output.append("| | base | head, estimated | change | interval | |\n|---|---:|---:|---:|---:|---|\n")
    let table = ComparisonRows(comparison, asked: options.metrics)
    for part in table.rows {
      let (shift, unit) = (part.shift, part.metric.unit)
      output.append(
        MarkdownRenderer.row([
          ComparisonSentences.label(part.metric), numbers.withUnit(shift.base, unit),
          numbers.withUnit(shift.possibleHead(unit), unit), numbers.estimate(shift),
          numbers.interval(shift, unit),
          part.presence == .both ? part.verdict.name : "\(part.verdict.name), \(part.presence.rawValue)",
        ]))
    }
    output.append("\n")
    if table.lacksChanges, let rest = table.rest { output.append("\(MarkdownRenderer.escaped(rest))\n\n") }
  }

  private func writeExact(_ comparison: LaunchComparison, to output: inout OutputBuffer) {
    for exact in comparison.exact where exact.isChanged {
      // The reasons of the verdict have the names.
      let text =
        exact.isRegression
        ? "**\(MarkdownRenderer.escaped(sentences.change(exact)))**"
        : MarkdownRenderer.escaped(sentences.sentence(exact))
      output.append("- \(text)\n")
    }
    if comparison.exact.contains(where: \.isChanged) { output.append("\n") }
  }

  /// Only the flame trees, as in the text format.
  private func writeFlame(to output: inout OutputBuffer) {
    guard options.depth != 0 else { return }
    var plain = options
    plain.color = false
    let text = TextPage.text(style: plain.style, width: 100, ComparisonText(result, options: plain).writeFlame)
    if text.isEmpty { return }
    output.append("<details><summary>What grew and what shrank, by medians</summary>\n\n")
    MarkdownRenderer.writeBlock(String(text.drop { $0 == "\n" }), to: &output)
    output.append("</details>\n\n")
  }
}
