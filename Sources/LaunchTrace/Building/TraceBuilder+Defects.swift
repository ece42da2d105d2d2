// SPDX-License-Identifier: Apache-2.0

extension TraceBuilder {
  /// Reports at most this many defects one by one.
  static let diagnosticLimit = 100

  /// Records a defect of the file.
  mutating func report(_ reason: String, at offset: Int) {
    trace.statistics.defects += 1
    let count = trace.diagnostics.count
    if count < Self.diagnosticLimit {
      trace.diagnostics.append(TraceDiagnostic(offset: offset, reason: reason))
    } else if count == Self.diagnosticLimit {
      trace.diagnostics.append(
        TraceDiagnostic(offset: offset, reason: "more defects follow; only the first \(count) are listed"))
    }
  }

  /// The largest number of kinds of skipped data that are counted separately, because a file can name any number.
  static let skippedLimit = 64

  /// Counts data that is not read.
  mutating func skipped(_ what: String) {
    let isRoom = trace.statistics.skipped.count < Self.skippedLimit || trace.statistics.skipped[what] != nil
    trace.statistics.skipped[isRoom ? what : "more kinds", default: 0] += 1
  }
}
