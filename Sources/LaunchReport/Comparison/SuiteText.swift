// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Several scenarios for people: the one verdict, then each scenario with its own.
struct SuiteText {
  private let suite: GateSuite
  private let options: ComparisonReportOptions

  init(_ suite: GateSuite, options: ComparisonReportOptions) { (self.suite, self.options) = (suite, options) }

  /// `regressed`, `no change`, …: that of the gravest scenario.
  var headline: String {
    suite.results.first { $0.status == suite.status }.map { ComparisonSentences($0).headline } ?? "passed"
  }

  /// `1 of 3 scenarios, 99 % confidence for all together`.
  private var summary: String {
    let confidence = DecimalText.trimmed(ComparisonNumbers.whole(suite.confidence * 1000), decimals: 1)
    return "\(suite.count) of \(suite.results.count) scenarios; \(confidence) % confidence for all together"
  }

  private static func name(_ result: GateResult) -> String { PlainName.escaped(result.scenario ?? "") }

  func write(to sink: any ByteSink) throws {
    let style = TextStyle(hasColor: options.color, isASCII: options.ascii)
    var page = TextPage(sink, style: style, width: min(max(options.width, 60), 120))
    let isGood = [.passed, .improved].contains(suite.status)
    var line = TextLine(style)
    line.add(headline.uppercased(), isGood ? .good : suite.status == .inconclusive ? .strong : .bad)
    line.add(": \(summary)")
    page.end(line)
    for result in suite.results {
      var line = TextLine(style)
      line.add("  \(Self.name(result)): \(ComparisonSentences(result).headline)")
      page.end(line)
    }
    try page.finish()
    for result in suite.results {
      var page = TextPage(sink, style: style, width: min(max(options.width, 60), 120))
      page.blank()
      var line = TextLine(style)
      line.add("\(options.ascii ? "--" : "——") \(Self.name(result))", .strong)
      page.end(line)
      try page.finish()
      try ComparisonText(result, options: options).write(to: sink)
    }
  }

  func writeMarkdown(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("## Launches: \(headline)\n\n\(MarkdownRenderer.escaped(summary))\n\n")
    output.append("| Scenario | |\n|---|---|\n")
    for result in suite.results {
      let cells = [Self.name(result), ComparisonSentences(result).headline].map(MarkdownRenderer.escaped)
      output.append("| \(cells.joined(separator: " | ")) |\n")
    }
    output.append("\n")
    try output.finish()
    for result in suite.results {
      var output = OutputBuffer(sink)
      output.append("## \(MarkdownRenderer.escaped(Self.name(result)))\n\n")
      try output.finish()
      try ComparisonMarkdown(result, options: options).write(to: sink)
    }
  }
}
