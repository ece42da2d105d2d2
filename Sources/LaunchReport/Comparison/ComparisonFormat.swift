// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// The formats in which comparisons and gates can be reported.
package enum ComparisonFormat: String, Sendable, CaseIterable {
  case text, markdown, csv, json, junit, html
  /// Workflow commands, which GitHub shows as annotations of a change.
  case github
  /// For services that draw a number of each run over time.
  case bencher
  case githubBenchmark = "github-benchmark"

  /// The format of a file's extension; nil if there is none.
  package init?(path: String) {
    switch fileExtension(path) {
    case "json" where path.lowercased().hasSuffix(".bmf.json"): self = .bencher
    case "json" where path.lowercased().hasSuffix(".benchmark.json"): self = .githubBenchmark
    case "txt", "text": self = .text
    case "md", "markdown": self = .markdown
    case "csv": self = .csv
    case "json": self = .json
    case "xml": self = .junit
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// Writes a report of `result` to `sink`.
  ///
  /// - Throws: what the sink throws.
  package func write(
    _ result: GateResult, options: ComparisonReportOptions = ComparisonReportOptions(), to sink: any ByteSink
  ) throws {
    switch self {
    case .text: try ComparisonText(result, options: options).write(to: sink)
    case .markdown: try ComparisonMarkdown(result, options: options).write(to: sink)
    case .csv: try ComparisonCSV(result: result).write(to: sink)
    case .json: try ComparisonJSON(result: result, options: options).write(to: sink)
    case .junit: try ComparisonJUnit(result).write(to: sink)
    case .html: try PageComparison(result: result, options: options).write(to: sink)
    case .github: try ComparisonAnnotations(result).write(to: sink)
    case .bencher: try TrackedValues(result).writeBencher(to: sink)
    case .githubBenchmark: try TrackedValues(result).writeGitHubBenchmark(to: sink)
    }
  }

  /// Writes a report of several scenarios to `sink`.
  ///
  /// - Throws: what the sink throws.
  package func write(
    _ suite: GateSuite, options: ComparisonReportOptions = ComparisonReportOptions(), to sink: any ByteSink
  ) throws {
    switch self {
    case .text: try SuiteText(suite: suite, options: options).write(to: sink)
    case .markdown: try SuiteText(suite: suite, options: options).writeMarkdown(to: sink)
    case .csv: try ComparisonCSV.write(suite, to: sink)
    case .json: try ComparisonJSON.write(suite, options: options, to: sink)
    case .junit: try ComparisonJUnit.write(suite, to: sink)
    case .html: try PageComparison(suite, options: options).write(to: sink)
    case .github: try ComparisonAnnotations.write(suite, to: sink)
    case .bencher: try TrackedValues(suite).writeBencher(to: sink)
    case .githubBenchmark: try TrackedValues(suite).writeGitHubBenchmark(to: sink)
    }
  }
}

/// How a report of a comparison looks.
package struct ComparisonReportOptions: Sendable, Equatable {
  /// Width of the output in columns.
  package var width = 80
  package var color = false
  /// Use only ASCII characters, also for names.
  package var ascii = false
  /// Ids of metrics to show, or their first parts (`phase`); empty for the most important ones.
  package var metrics: [String] = []
  /// Levels of the flame tree; 0 for none, nil for all that differ.
  package var depth: Int?

  package init() {}

  var style: TextStyle { TextStyle(hasColor: color, isASCII: ascii) }
  /// The width of the text.
  var columns: Int { min(max(width, 60), 120) }
}
