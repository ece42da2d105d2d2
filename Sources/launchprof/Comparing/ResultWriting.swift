// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport

/// Writes a result to a standard stream and to the requested files.
struct ResultWriting {
  let options: ComparisonOptionGroup

  /// The format of a file, by its extension. A GitHub job's summary has none, and is Markdown.
  static func format(of path: String) -> ComparisonFormat? {
    FileOutput.isJobSummary(path) ? .markdown : ComparisonFormat(path: path)
  }

  /// Checks that each output file can be written, before a hundred launches rather than after them.
  ///
  /// - Parameter inputs: files that must not be overwritten.
  /// - Throws: `ExitCode`, after printing why.
  func checkPlaces(inputs: [String] = []) throws {
    for path in options.output {
      try FileOutput.check(path, isNoneOf: inputs)
      try FileOutput.checkPlace(path)
    }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ result: GateResult) throws {
    try checkMetrics(of: [result])
    try write { try $0.write(result, options: $1, to: $2) }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ suite: GateSuite) throws {
    try checkMetrics(of: suite.results)
    try write { try $0.write(suite, options: $1, to: $2) }
  }

  private typealias Write = (ComparisonFormat, ComparisonReportOptions, any ByteSink) throws -> Void

  private func write(_ body: Write) throws {
    try FileOutput.writeAll(options.output) { path in
      let format = path.flatMap(Self.format) ?? options.format ?? .text
      try FileOutput.write(to: path) { sink, descriptor in
        try body(format, options.reportOptions(for: path == nil ? descriptor : nil), sink)
      }
    }
  }

  /// Rejects a metric that no launch has. An empty table would hide a misspelt name.
  private func checkMetrics(of results: [GateResult]) throws {
    let known = results.compactMap(\.comparison).filter { $0.total != nil }.flatMap { comparison in
      [comparison.total, comparison.cpu].compactMap { $0?.metric } + comparison.parts.map(\.metric)
    }
    guard !known.isEmpty else { return }
    for asked in options.metric where !known.contains(where: { $0.isNamed(asked) }) {
      let isExact = ExactCount(rawValue: asked) != nil
      let reason =
        isExact ? "this count is compared exactly, and is shown without --metric" : "no launch has this metric"
      throw fail("--metric \(shown(asked)): \(reason); known metrics: \(Metric.list(Set(known)))")
    }
  }
}
