// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Google's trace_processor: how Perfetto's viewer reads the traces.
public enum TraceProcessor {
  /// Its answer about one trace.
  public struct Answer: Sendable {
    public let path: String
    /// What the import complained about.
    public let errors: [String]
    /// The rows of each statement; NULL is `[NULL]`.
    public let rows: [[[String]]]
  }

  /// The rows that `sql` yields on the trace at `path`; NULL is `[NULL]`.
  ///
  /// - Throws: `ToolFailure` when the tool is missing, the trace does not import, or the statement is wrong.
  public static func query(path: String, sql: String) throws -> [[String]] {
    let answer = try query(paths: [path], sql: [sql])[0]
    guard answer.errors.isEmpty else { throw ToolFailure("\(path) does not import: \(answer.errors)") }
    return answer.rows[0]
  }

  /// Loads all traces in one process and runs every statement on each. Much faster than one call for each trace.
  public static func query(paths: [String], sql: [String]) throws -> [Answer] {
    if paths.isEmpty { return [] }
    let answers = try JSONDecoder().decode([RawAnswer].self, from: answer(paths, sql))
    return try answers.map { answer in
      let rows = try answer.results.map { result in
        guard let rows = result.rows else { throw ToolFailure("\(answer.trace): \(result.error ?? "no rows")") }
        return rows
      }
      return Answer(path: answer.trace, errors: answer.errors, rows: rows)
    }
  }

  private static let script = PackageRoot.appending("scripts/tools/trace-processor.mjs")

  /// For questions about a few small traces. The engine's code is not optimised: that takes a second of processor time, more
  /// than it saves with few bytes.
  private static let server = Result {
    try AnsweringTool(
      Tools.node(), ["--liftoff-only", script], adding: ["TRACE_PROCESSOR_DIST": Tools.traceProcessor()])
  }

  /// JSON.
  private static func answer(_ paths: [String], _ sql: [String]) throws -> Data {
    // Many traces, or large ones, are worth a process whose code is optimised.
    if paths.count <= 16, bytes(paths) < 1 << 25 {
      return try server.get().answer(Question(traces: paths, statements: sql))
    }
    let run = try TestProcess.run(
      Tools.node(), [script] + paths + ["--"] + sql, adding: ["TRACE_PROCESSOR_DIST": Tools.traceProcessor()],
      timeout: 600)
    guard run.succeeded else { throw ToolFailure("trace_processor: \(run.outcome) \(run.errorText)") }
    return Data(run.output)
  }

  private static func bytes(_ paths: [String]) -> Int {
    paths.reduce(0) { $0 + ((try? FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int) ?? 0) }
  }

  /// Every statistic of severity `error` that is not zero, and import errors under `import`. A sound trace has none.
  public static func errorStatistics(path: String) throws -> [String: String] {
    try errorStatistics(paths: [path])[path] ?? [:]
  }

  /// Like `errorStatistics(path:)`, by path; paths without errors are absent.
  public static func errorStatistics(paths: [String]) throws -> [String: [String: String]] {
    var found: [String: [String: String]] = [:]
    for answer in try query(paths: paths, sql: [errorStatisticsSQL]) {
      var statistics: [String: String] = [:]
      for row in answer.rows[0] { statistics[row[0], default: ""] += row[1] }
      if !answer.errors.isEmpty { statistics["import"] = answer.errors.joined(separator: "; ") }
      if !statistics.isEmpty { found[answer.path] = statistics }
    }
    return found
  }

  public static let errorStatisticsSQL = "select name, value from stats where severity = 'error' and value > 0"

  struct Question: Encodable {
    let traces: [String]
    let statements: [String]
  }

  private struct RawAnswer: Decodable {
    struct Result: Decodable {
      let rows: [[String]]?
      let error: String?
    }
    let trace: String
    let errors: [String]
    let results: [Result]
  }
}
