// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchRecord
internal import LaunchTrace

/// Launches by column: what a question needs of each record, and nothing else.
package struct FleetTable: Sendable {
  package enum Outcome: UInt8, Sendable {
    case completed, failed, timeout
    /// A launch of a histogram, which has only those that completed.
    case survived
  }

  package internal(set) var count = 0
  package internal(set) var census = FleetCensus()
  var labels: [LabelColumn] = []
  var metrics: [MetricColumn] = []
  /// The number of launches that each row represents; empty if each is one launch.
  var counts: [UInt32] = []
  /// The number of launches that each record represents, because the program keeps only a sample of them.
  var weights: [Float] = []
  var outcomes: [UInt8] = []
  /// 0 not known, 1 within the record's own budget, 2 over it.
  var withinBudget: [UInt8] = []
  /// Empty unless the question asks for them.
  var ids: [LaunchID] = []
  /// When launches began, in seconds since 1970; 0 if that is not known. Empty unless the question asks for it.
  var times: [Int64] = []
  /// When builds were first launched, by name, if a server knows it.
  var firstTimes: [String: Int64] = [:]

  package var labelNames: [String] { labels.filter { $0.isUsed }.map(\.name) }
  /// `total`, `phase/…`, in the order of their first record.
  package var metricNames: [String] { metrics.map(\.name) }

  func label(_ name: String) -> LabelColumn? { labels.first { $0.name == name } }
  func metric(_ name: String) -> MetricColumn? { metrics.first { $0.name == name } }

  /// - Throws: `FleetError` for a metric that no record has.
  func known(metric name: String) throws(FleetError) -> MetricColumn {
    if let column = metric(name) { return column }
    throw FleetError(
      .unknownMetric, message: "no record has \"\(name)\"; \(someOf("metrics", metricNames))")
  }

  /// - Parameter option: what comes before the message.
  func unknown(column name: String, option: String = "") -> FleetError {
    FleetError(
      .unknownColumn,
      message: "\(option)no record has \"\(name)\"; \(someOf("columns", labelNames))")
  }

  /// The end of a message. Only what a question needs of the records is in the table.
  package func someOf(_ what: String, _ names: [String]) -> String {
    "records have these \(what), among others (docs/launch-record.md): \(names.joined(separator: ", "))"
  }

  func records(_ row: Int) -> Int { counts.isEmpty ? 1 : Int(counts[row]) }

  /// Whether a launch did not complete; nil if it is not known how many of those beside it did not.
  func hasFailed(_ row: Int) -> Bool? {
    outcomes[row] == Outcome.survived.rawValue ? nil : outcomes[row] != Outcome.completed.rawValue
  }

  var isWeighted: Bool { weights.contains { $0 != 1 } }
  /// `weights`, or nil if each record is one launch.
  var sampleWeights: [Float]? { isWeighted ? weights : nil }
}

/// A column of words. Code 0 is "not known".
struct LabelColumn: Sendable {
  let name: String
  var codes: [UInt16] = []
  private var interned: InternedTexts
  /// Whether values beyond the limit share the codes of others (`--unit`), instead of all being `(other)`.
  private let isShared: Bool
  /// The values that have a code for themselves.
  private let knownCount: Int
  /// Whether values share codes.
  private(set) var hasSharedCodes = false

  /// The largest number of different values. Further ones become `(other)`.
  static var mostValues: Int { TraceLimits.least(4) * 3_750 }
  static let longestValue = 256
  static let other = UInt16.max

  /// - Parameters:
  ///   - known: values that have a code of their own, however many others come.
  ///   - isShared: whether the values are single machines. Those beyond the limit then share codes with others, at random by
  ///     their hash. The sums of groups of machines have the same variance as those of the machines.
  init(_ name: String, known: [String] = [], isShared: Bool = false) {
    var interned = InternedTexts(most: Self.mostValues)
    for value in known where !value.isEmpty {
      let bytes = Array(value.utf8.prefix(Self.longestValue))
      _ = bytes.withUnsafeBytes { interned.number($0) }
    }
    (self.name, self.isShared, self.interned, knownCount) = (name, isShared, interned, interned.texts.count)
  }

  var valueCount: Int { interned.texts.count + 1 }
  var isUsed: Bool { !interned.texts.isEmpty }

  /// The code of a value, whose first bytes count: `longestValue`. An empty one is not known: other tools write that
  /// where a record has no such key.
  mutating func code(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
    if bytes.isEmpty { return 0 }
    let short = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.longestValue))
    if let number = interned.number(short) { return UInt16(number + 1) }
    guard isShared, knownCount < Self.mostValues else { return Self.other }
    hasSharedCodes = true
    return UInt16(knownCount + Int(Self.hash(short) % UInt64(Self.mostValues - knownCount)) + 1)
  }

  /// FNV-1a, so that the same records have the same answer each time (`RowHash` differs in each process).
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let state = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return state ^ state >> 32
  }

  /// The value as text; empty for "not known".
  func text(_ code: UInt16) -> String {
    switch code {
    case 0: ""
    case Self.other: "(other)"
    default: String(decoding: interned.texts[Int(code) - 1], as: UTF8.self)
    }
  }
}

/// A column of times in ns, or of counts; not a number where a record has none.
///
/// A value keeps 24 bits: it is right to 6 parts in 100 million.
struct MetricColumn: Sendable {
  let name: String
  var values: [Float] = []
  /// Launches in the bin that begins with each value (`TimeBin`); empty when each value is that of one launch.
  var counts: [UInt32] = []

  /// Of something else than time.
  var isCount: Bool { name.hasPrefix("count/") }
  /// The total or a phase: what a comparison tests.
  var isCompared: Bool { name == "total" || name.hasPrefix("phase/") }

  /// The order of two names: that of the phases in a launch. Other metrics come before them.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let phases = [left, right].map { $0.hasPrefix("phase/") }
    if phases[0] != phases[1] { return phases[1] }
    let paths = [left, right].map { $0.split(separator: "/").map(String.init) }
    return phases[0] ? PhaseOrder.precedes(paths[0], paths[1]) : left < right
  }

  func records(_ row: Int) -> Int { counts.isEmpty ? 1 : Int(counts[row]) }
}
