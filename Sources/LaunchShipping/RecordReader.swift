// SPDX-License-Identifier: Apache-2.0

package import LaunchRecord
internal import LaunchTrace
internal import LaunchWire

/// Reads launch records: one flat JSON object on each line.
///
/// What is not known is kept; nested values, which no record has, are skipped. A line that is not such an object gives nil.
package enum RecordReader {
  package static func read(_ line: some StringProtocol) -> Record? {
    var line = String(line)
    guard let fields = line.withUTF8({ fields(UnsafeRawBufferPointer($0)) }) else { return nil }
    let record = Record(fields: fields)
    guard let format = record.number(.record), format >= 1 else { return nil }
    return record.text(.id).flatMap(LaunchID.init) == nil ? nil : record
  }

  /// The fields of a line. If a key is there twice, the first one counts.
  private static func fields(_ line: UnsafeRawBufferPointer) -> [Record.Field]? {
    guard var scanner = FlatObjectScanner(line) else { return nil }
    var (fields, known): ([Record.Field], Set<String>) = ([], [])
    while true {
      switch scanner.next() {
      case .member:
        let key = JSONEscapes.text(scanner.key, hasEscapes: scanner.keyHasEscapes)
        guard let value = value(scanner.value), known.insert(key).inserted else { continue }
        fields.append(Record.Field(key, value))
      case .end: return fields
      case .broken: return nil
      }
    }
  }

  /// nil for `null`, nested values, and numbers that are not 64-bit integers.
  private static func value(_ value: FlatObjectScanner.Value) -> Record.Value? {
    switch value {
    case .text(let text, let hasEscapes): .text(JSONEscapes.text(text, hasEscapes: hasEscapes))
    case .integer(let number, _): .number(number)
    case .number(let number, let text):
      (Int64(String(decoding: text, as: UTF8.self)) ?? Int64(exactly: number.rounded())).map { .number($0) }
    case .flag(let flag): .flag(flag)
    case .null, .nested: nil
    }
  }
}
