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
  /// - Throws: `ExitCode`, after printing why.
  func checkPlaces() throws {
    for path in options.output {
      if isDirectory(path) { throw cannotWrite(path, EISDIR) }
      let slash = path.lastIndex(of: "/")
      let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      if access(TraceArguments.exists(path) ? path : directory, W_OK) != 0 { throw cannotWrite(path, errno) }
    }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ result: GateResult, to stream: StandardStream = .output) throws {
    try checkMetrics(result)
    try write(to: stream) { try $0.write(result, options: $1, to: $2) }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(_ suite: GateSuite) throws {
    for result in suite.results { try checkMetrics(result) }
    try write(to: .output) { try $0.write(suite, options: $1, to: $2) }
  }

  private typealias Write = (ComparisonFormat, ComparisonReportOptions, any ByteSink) throws -> Void

  private func write(to stream: StandardStream, _ body: Write) throws {
    for path in options.output { try write(toFile: path, body) }
    do {
      try body(
        options.format ?? .text, options.reportOptions(for: stream.descriptor), FileDescriptorSink(stream.descriptor))
    } catch {
      let code = (error as? ReportError)?.errno ?? 0
      // `compare | head`: the reader has enough.
      if code == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
      throw cannotWrite("standard output", code)
    }
  }

  /// Rejects a metric that no launch has. An empty table would hide a misspelt name.
  private func checkMetrics(_ result: GateResult) throws {
    guard let comparison = result.comparison, comparison.total != nil else { return }
    let known = [comparison.total, comparison.cpu].compactMap { $0?.metric } + comparison.parts.map(\.metric)
    for asked in options.metric where !known.contains(where: { $0.isNamed(asked) }) {
      let names = known.prefix(40).map(\.id).joined(separator: ", ") + (known.count > 40 ? ", …" : "")
      throw fail(
        "--metric \(shown(asked)): no launch has this metric; known metrics: \(names)", status: CommandStatus.failure)
    }
  }

  private func write(toFile path: String, _ body: Write) throws {
    guard let format = Self.format(of: path) else { return }
    // Every step of a job adds to its summary.
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (Self.isJobSummary(path) ? O_APPEND : O_TRUNC), 0o666)
    guard file >= 0 else { throw cannotWrite(path, errno) }
    do { try body(format, options.reportOptions(for: nil), FileDescriptorSink(file)) } catch {
      close(file)
      throw cannotWrite(path, (error as? ReportError)?.errno ?? 0)
    }
    // Network file systems report a full disk only now.
    if close(file) != 0 { throw cannotWrite(path, errno) }
  }

  private func cannotWrite(_ name: String, _ error: Int32) -> ExitCode {
    fail("\(name): cannot write the result: \(systemMessage(error))", status: CommandStatus.failure)
  }
}
