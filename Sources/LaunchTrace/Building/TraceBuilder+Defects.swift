extension TraceBuilder {
  /// Reports at most this many defects one by one.
  static let diagnosticLimit = 100

  /// Notes a defect of the file.
  mutating func report(_ reason: String, at offset: Int) {
    let count = trace.diagnostics.count
    if count < Self.diagnosticLimit {
      trace.diagnostics.append(TraceDiagnostic(offset: offset, reason: reason))
    } else if count == Self.diagnosticLimit {
      trace.diagnostics.append(
        TraceDiagnostic(offset: offset, reason: "and more; only the first \(count) are listed"))
    }
  }

  /// Counts something that is not read.
  mutating func skipped(_ what: String) { trace.statistics.skipped[what, default: 0] += 1 }
}
