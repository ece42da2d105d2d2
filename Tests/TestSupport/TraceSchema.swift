import Foundation

/// Google's own schema of a Perfetto trace (PyPI's `perfetto` and `protobuf`).
public enum TraceSchema {
  public struct Report: Sendable, Decodable {
    public let path: String
    public let packets: Int
    /// Top-level fields of number 15: space of the file that holds no event.
    public let fillers: Int
    /// Fields that the schema does not know, other than fillers.
    public let unknown: [String]
    /// Why it does not decode.
    public let error: String?
  }

  /// Decodes every file, in one process, and returns a report each.
  ///
  /// - Throws: `ToolFailure` naming every file that does not decode or holds a field that the schema does not know.
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

  /// As `check(paths:)`, without judging: for tests of broken files.
  public static func report(paths: [String]) throws -> [Report] {
    if paths.isEmpty { return [] }
    let directory = try TemporaryDirectory()
    let list = try directory.write(paths.joined(separator: "\n"), to: "list")
    let run = try TestProcess.run(
      Tools.python(), [PackageRoot.appending("scripts/tools/check-schema.py"), "--list", list], timeout: 600)
    let reports = try run.text.split(separator: "\n").map {
      try JSONDecoder().decode(Report.self, from: Data($0.utf8))
    }
    guard reports.count == paths.count else { throw ToolFailure("check-schema.py: \(run.outcome) \(run.errorText)") }
    return reports
  }
}
