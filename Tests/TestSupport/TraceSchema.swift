// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Google's own schema of a Perfetto trace (PyPI's `perfetto` and `protobuf`).
public enum TraceSchema {
  public struct Report: Sendable, Decodable, Equatable {
    public let path: String
    public let packets: Int
    /// Top-level fields with number 15: space in the file that contains no events.
    public let fillers: Int
    /// Fields that are not in the schema, except fillers.
    public let unknown: [String]
    /// Why it cannot be decoded.
    public let error: String?
  }

  /// Decodes every file and returns a report for each.
  ///
  /// - Throws: `ToolFailure` with every file that cannot be decoded or has a field that is not in the schema.
  @discardableResult
  public static func check(paths: [String]) throws -> [Report] {
    let reports = try report(paths: paths)
    let broken = reports.filter { $0.error != nil || !$0.unknown.isEmpty }
    guard broken.isEmpty else {
      let lines = broken.prefix(10).map { "\($0.path): \($0.error ?? "unknown fields \($0.unknown)")" }
      throw ToolFailure(
        "\(broken.count) of \(reports.count) traces break the schema:\n\(lines.joined(separator: "\n"))")
    }
    return reports
  }

  /// Like `check(paths:)`, but throws nothing about the files: for tests of broken files.
  public static func report(paths: [String]) throws -> [Report] {
    if paths.isEmpty { return [] }
    // Many traces are worth a process of their own, beside that of other threads.
    if paths.count <= 16 { return try JSONDecoder().decode([Report].self, from: server.get().answer(paths)) }
    let directory = try TemporaryDirectory()
    let list = try directory.write(paths.joined(separator: "\n"), to: "list")
    let run = try TestProcess.run(Tools.python(), [script, "--list", list], timeout: 600)
    let reports = try run.text.split(separator: "\n").map {
      try JSONDecoder().decode(Report.self, from: Data($0.utf8))
    }
    guard reports.count == paths.count else { throw ToolFailure("check-schema.py: \(run.outcome) \(run.errorText)") }
    return reports
  }

  private static let script = PackageRoot.appending("scripts/tools/check-schema.py")

  /// For questions about a few traces.
  private static let server = Result { try AnsweringTool(Tools.python(), [script, "--answer"]) }
}
