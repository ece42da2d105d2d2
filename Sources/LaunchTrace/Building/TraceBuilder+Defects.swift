// SPDX-License-Identifier: Apache-2.0

extension ReadStatistics {
  /// The kinds of `ignored`, the most frequent first.
  package var ignoredByCount: [(key: String, value: Int)] { Self.byCount(ignored) }
  /// The kinds of `skipped`, which is not read by design, the most frequent first. The names may contain text of the file.
  package var skippedByCount: [(key: String, value: Int)] { Self.byCount(skipped) }

  private static func byCount(_ kinds: [String: Int]) -> [(key: String, value: Int)] {
    kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }
}

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

  /// The largest number of kinds that are counted separately, because a file can name any number.
  static let mostKinds = 64

  /// Counts data of a kind that is not read.
  mutating func skipped(_ what: String, count: Int = 1) { Self.count(what, count, in: &trace.statistics.skipped) }

  /// Counts events of a kind that is read, but that have a defect. Reports say it, so `what` contains no text of the file.
  mutating func ignored(_ what: String, count: Int = 1) { Self.count(what, count, in: &trace.statistics.ignored) }

  private static func count(_ what: String, _ count: Int = 1, in kinds: inout [String: Int]) {
    let isRoom = kinds.count < mostKinds || kinds[what] != nil
    kinds[isRoom ? what : "more kinds", default: 0] += count
  }
}
