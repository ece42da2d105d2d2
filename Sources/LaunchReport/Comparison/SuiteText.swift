// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Several scenarios for people: the one verdict, then each scenario with its own.
struct SuiteText {
  let suite: GateSuite
  let options: ComparisonReportOptions

  /// `regressed`, `no change`, …: that of the gravest scenarios. Those that passed may have several. It is true of each of them.
  var headline: String {
    let headlines = Set(suite.results.filter { $0.status == suite.status }.map { ComparisonSentences($0).headline })
    if let common = headlines.first, headlines.count == 1 { return common }
    let compared = ComparisonSentences.ofComparedAndPassed
    return headlines.isSubset(of: compared) ? compared.first(where: headlines.contains) ?? "passed" : "passed"
  }

  /// `1 of 3 scenarios; 99 % confidence for all together`.
  private var summary: String {
    let confidence = "\(DecimalText.percent(suite.confidence)) confidence"
    guard suite.results.count > 1 else { return "1 \(suite.noun); \(confidence)" }
    return "\(suite.count) of \(suite.results.count) \(suite.noun)s; \(confidence) for all together"
  }

  func write(to sink: any ByteSink) throws {
    let style = options.style
    var page = TextPage(sink, style: style, width: options.columns)
    let isGood = [.passed, .improved].contains(suite.status)
    var line = TextLine(style)
    line.add(headline.uppercased(), isGood ? .good : suite.status == .inconclusive ? .strong : .bad)
    line.add(": \(summary)")
    page.end(line)
    for result in suite.results {
      let headline = ": \(ComparisonSentences(result).headline)"
      page.line("  " + style.name(result.scenario ?? "", columns: page.width - 2 - headline.count) + headline)
    }
    for note in suite.unchecked { page.paragraph(note, indent: 0, .faint) }
    try page.finish()
    for result in suite.results {
      var page = TextPage(sink, style: style, width: options.columns)
      page.blank()
      let name = style.name(result.scenario ?? "", columns: page.width - 3)
      page.line("\(options.ascii ? "--" : "——") \(name)", .strong)
      try page.finish()
      try ComparisonText(result, options: options).write(to: sink)
    }
  }

  func writeMarkdown(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("## Launches: \(headline)\n\n\(MarkdownRenderer.escaped(summary))\n\n")
    output.append("| \(suite.isOfPrograms ? "Program" : "Scenario") | |\n|---|---|\n")
    for result in suite.results {
      output.append(MarkdownRenderer.row([result.scenario ?? "", ComparisonSentences(result).headline]))
    }
    output.append("\n")
    for note in suite.unchecked { output.append("\(MarkdownRenderer.escaped(note))\n\n") }
    try output.finish()
    for result in suite.results {
      var output = OutputBuffer(sink)
      output.append("## \(MarkdownRenderer.escaped(result.scenario ?? ""))\n\n")
      try output.finish()
      try ComparisonMarkdown(result, options: options).write(to: sink)
    }
  }
}
