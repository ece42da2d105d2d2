// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
package import LaunchTrace

/// The debug annotations of one event, by name.
struct AnnotationRow {
  private let table: AnnotationTable
  private let names: StringTable
  private let plausibleTimes: ClosedRange<Int64>
  private let row: UInt32

  init(_ trace: Trace, row: UInt32) {
    (table, names, plausibleTimes) = (trace.annotations, trace.strings, trace.plausibleTimes)
    self.row = row
  }

  var entries: [AnnotationTable.Entry] { table[row] }

  subscript(_ key: String) -> AnnotationValue? { names.id(of: key).flatMap { table.value(row: row, key: $0) } }

  func string(_ key: String) -> String? { if case .string(let value)? = self[key] { value } else { nil } }

  func bool(_ key: String) -> Bool? { if case .bool(let value)? = self[key] { value } else { nil } }

  /// Of a mapped library: whether it is launchprof's agent, which is none of the program's (D345). Launchprof 0.1.0 did not
  /// mark it.
  var isAgent: Bool { bool(LS_KEY_AGENT) ?? (string(LS_KEY_PATH).map(fileName) == LS_PATH_AGENT) }

  func strings(_ key: String) -> [String] {
    guard case .array(let values)? = self[key] else { return [] }
    return values.compactMap { if case .string(let value) = $0 { value } else { nil } }
  }

  /// A string, or an array of them.
  func oneOrMoreStrings(_ key: String) -> [String] { string(key).map { [$0] } ?? strings(key) }

  func dictionaries(_ key: String) -> [[String: AnnotationValue]] {
    guard case .array(let values)? = self[key] else { return [] }
    return values.compactMap { if case .dictionary(let entries) = $0 { entries } else { nil } }
  }

  /// An integer of any kind, clamped so that sums do not overflow.
  func integer(_ key: String) -> Int64? {
    whole(key).map { min(max($0, -TraceLimits.number), TraceLimits.number) }
  }

  /// A whole number; 0 if the trace does not say.
  func number(_ key: String) -> Int64 { integer(key) ?? 0 }

  /// How many; 0 if the trace does not say.
  func count(_ key: String) -> Int { Int(clamping: number(key)) }

  /// A number of calls.
  func calls(_ key: String) -> Int64? { whole(key).map { min(max($0, 0), TraceLimits.calls) } }

  /// What each call costs, ns; 0 if the trace does not say.
  func callCost(_ key: String) -> Int64 { min(max(whole(key) ?? 0, 0), TraceLimits.callCost) }

  /// A time on the trace's clock, ns; nil if it is too far from the trace's events.
  func time(_ key: String) -> Int64? { whole(key).flatMap { plausibleTimes.contains($0) ? $0 : nil } }

  private func whole(_ key: String) -> Int64? {
    switch self[key] {
    case .int(let value): value
    case .uint(let value), .pointer(let value): Int64(clamping: value)
    case .double(let value): value.isFinite ? Int64(exactly: value.rounded()) : nil
    default: nil
    }
  }

  /// An address, unchanged.
  func pointer(_ key: String) -> UInt64? { if case .pointer(let value)? = self[key] { value } else { nil } }

  func double(_ key: String) -> Double? {
    switch self[key] {
    case .double(let value): value.isFinite ? value : nil
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    default: nil
    }
  }
}

extension Trace {
  /// The slices of a category, in their order.
  func slices(of category: String) -> [SliceIndex] {
    guard let id = strings.id(of: category)?.rawValue else { return [] }
    return (0..<slices.count).filter { slices.category[$0] == id }
  }

  /// The rows of the instants of a category, in their order.
  package func instants(of category: String) -> [Int] {
    guard let id = strings.id(of: category)?.rawValue else { return [] }
    return (0..<instants.count).filter { instants.category[$0] == id }
  }

  func annotations(ofSlice row: SliceIndex) -> AnnotationRow { AnnotationRow(self, row: slices.annotation[row]) }

  func annotations(ofInstant row: Int) -> AnnotationRow { AnnotationRow(self, row: instants.annotation[row]) }

  func name(ofSlice row: SliceIndex) -> String { strings[StringID(rawValue: slices.name[row])] }
}

extension AnnotationValue {
  /// The value as text for people.
  package var plainText: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): String(value)
    case .string(let value): value
    case .pointer(let value): "0x" + String(value, radix: 16)
    case .array(let values): values.map(\.plainText).joined(separator: ", ")
    case .dictionary(let values):
      values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.plainText)" }.joined(separator: ", ")
    }
  }
}
