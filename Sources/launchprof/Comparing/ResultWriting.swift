// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchSystem

/// Writes a result to a standard stream and to the requested files.
struct ResultWriting {
  let options: ComparisonOptionGroup

  /// The format of a file, by its extension. A GitHub job's summary has none, and is Markdown.
  static func format(of path: String) -> ComparisonFormat? {
    isJobSummary(path) ? .markdown : ComparisonFormat(path: path)
  }

  private static func isJobSummary(_ path: String) -> Bool { path == environment("GITHUB_STEP_SUMMARY") }

  /// Checks that each output file can be written, before a hundred launches rather than after them.
  ///
  /// - Parameter inputs: files that must not be overwritten.
  /// - Throws: `ExitCode`, after printing why.
  func checkPlaces(inputs: [String] = []) throws {
    for path in options.output {
      try FileOutput.check(path, isNoneOf: inputs)
      if isDirectory(path) { throw FileOutput.cannotWrite(path, EISDIR) }
      let slash = path.lastIndex(of: "/")
      let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      if access(TraceArguments.exists(path) ? path : directory, W_OK) != 0 { throw FileOutput.cannotWrite(path, errno) }
    }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ result: GateResult) throws {
    try checkMetrics(result)
    try write { try $0.write(result, options: $1, to: $2) }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ suite: GateSuite) throws {
    for result in suite.results { try checkMetrics(result) }
    try write { try $0.write(suite, options: $1, to: $2) }
  }

  private typealias Write = (ComparisonFormat, ComparisonReportOptions, any ByteSink) throws -> Void

  private func write(_ body: Write) throws {
    for path in options.output { try write(toFile: path, body) }
    let output = StandardStream.output.descriptor
    try FileOutput.write(to: output, name: "standard output") {
      try body(options.format ?? .text, options.reportOptions(for: output), $0)
    }
  }

  /// Rejects a metric that no launch has. An empty table would hide a misspelt name.
  private func checkMetrics(_ result: GateResult) throws {
    guard let comparison = result.comparison, comparison.total != nil else { return }
    let known = [comparison.total, comparison.cpu].compactMap { $0?.metric } + comparison.parts.map(\.metric)
    for asked in options.metric where !known.contains(where: { $0.isNamed(asked) }) {
      let names = known.prefix(40).map(\.id).joined(separator: ", ") + (known.count > 40 ? ", …" : "")
      throw fail("--metric \(shown(asked)): no launch has this metric; known metrics: \(names)")
    }
  }

  private func write(toFile path: String, _ body: Write) throws {
    guard let format = Self.format(of: path) else { return }
    // Every step of a job adds to its summary.
    try FileOutput.write(to: path, flags: Self.isJobSummary(path) ? O_APPEND : O_TRUNC) { sink, _ in
      try body(format, options.reportOptions(for: nil), sink)
    }
  }
}
