// SPDX-License-Identifier: Apache-2.0

/// The formats of the history for programs (docs/gate.md).
package enum HistoryFormat: String, Sendable, CaseIterable {
  case csv, json

  /// Raised if a member changes its meaning or is removed, but not for new members.
  private static let schemaVersion = 1

  /// - Parameters:
  ///   - rows: of the CSV. A lazy sequence, because a history may have millions.
  ///   - members: writes those of the JSON.
  /// - Throws: what the sink throws.
  func write(
    to sink: any ByteSink, columns: String, rows: some Sequence<[String]>, members: (inout JSONWriter) -> Void
  ) throws {
    switch self {
    case .csv:
      var output = OutputBuffer(sink)
      output.csv(columns, rows)
      try output.finish()
    case .json:
      try JSONWriter.object(to: sink) { json in
        json.value("schemaVersion", Self.schemaVersion)
        members(&json)
      }
    }
  }
}
