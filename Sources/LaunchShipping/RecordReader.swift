// SPDX-License-Identifier: Apache-2.0

package import LaunchRecord
internal import LaunchTrace

/// Reads launch records: one flat JSON object on each line.
///
/// What is not known is kept, but for nested values and numbers that are not 64-bit integers, which no record of this
/// version has. A line that is not such an object gives nil.
package enum RecordReader {
  /// A record as it is, in one line; nil for what is not a record.
  package static func line(_ text: String) -> String? {
    guard read(text) != nil else { return nil }
    let isLineEnd = { (byte: UInt8) in byte == 0x0a || byte == 0x0d }
    guard text.utf8.contains(where: isLineEnd) else { return text }
    // Between values, line ends are blanks.
    let bytes = text.utf8.map { isLineEnd($0) ? 0x20 : $0 }
    return String(decoding: bytes[...(bytes.lastIndex { $0 > 0x20 } ?? 0)], as: UTF8.self)
  }

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
      (Int64(String(decoding: text, as: UTF8.self)) ?? Int64(exactly: number)).map { .number($0) }
    case .flag(let flag): .flag(flag)
    case .null, .nested: nil
    }
  }
}
