package import LaunchRecord

/// Reads launch records: one flat JSON object a line.
///
/// What is not known is kept; nested values, which no record has, are passed over. A line that is no such object gives nil.
package enum RecordReader {
  package static func read(_ line: some StringProtocol) -> Record? {
    var scanner = Scanner(Array(line.utf8))
    guard let fields = scanner.object(), scanner.isAtEnd else { return nil }
    let record = Record(fields: fields)
    guard let format = record.number(RecordKey.record), format >= 1 else { return nil }
    return record.text(RecordKey.id).flatMap(LaunchID.init) == nil ? nil : record
  }
}

/// A scanner of one line, which never recurs.
private struct Scanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return place == bytes.count
    }
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0d, 0x0a].contains(bytes[place]) { place += 1 }
  }

  /// Takes `byte` if it comes next.
  private mutating func take(_ byte: Character) -> Bool {
    skipBlanks()
    guard place < bytes.count, bytes[place] == byte.asciiValue else { return false }
    place += 1
    return true
  }

  mutating func object() -> [Record.Field]? {
    guard take("{") else { return nil }
    var (fields, known): ([Record.Field], Set<String>) = ([], [])
    if take("}") { return fields }
    repeat {
      guard let key = string(), take(":"), let value = value() else { return nil }
      // Of a key that stands there twice, the first one counts.
      if let value = value.known, known.insert(key).inserted { fields.append(Record.Field(key, value)) }
    } while take(",")
    return take("}") ? fields : nil
  }

  /// A value; `known` is nil for one that no record has.
  private mutating func value() -> (known: Record.Value?, ())? {
    skipBlanks()
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case 0x22: return string().map { (.text($0), ()) }
    case 0x7b, 0x5b: return skipNested() ? (nil, ()) : nil
    default:
      let start = place
      while place < bytes.count, ![0x2c, 0x7d, 0x5d, 0x20, 0x09, 0x0d, 0x0a].contains(bytes[place]) { place += 1 }
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      switch text {
      case "true": return (.flag(true), ())
      case "false": return (.flag(false), ())
      case "null": return (nil, ())
      default:
        if let number = Int64(text) { return (.number(number), ()) }
        return Double(text).map { (Int64(exactly: $0.rounded()).map(Record.Value.number), ()) }
      }
    }
  }

  private mutating func skipNested() -> Bool {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case 0x7b, 0x5b:
        depth += 1
        place += 1
      case 0x7d, 0x5d:
        depth -= 1
        place += 1
        if depth == 0 { return true }
      case 0x22: if string() == nil { return false }
      default: place += 1
      }
    }
    return false
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x22 { return String(validating: text, as: UTF8.self) }
      if byte < 0x20 { return nil }
      guard byte == 0x5c else {
        text.append(byte)
        continue
      }
      guard let scalar = escaped() else { return nil }
      text += Array(String(scalar).utf8)
    }
    return nil
  }

  private mutating func escaped() -> Character? {
    guard place < bytes.count else { return nil }
    let byte = bytes[place]
    place += 1
    switch byte {
    case 0x22: return "\""
    case 0x5c: return "\\"
    case 0x2f: return "/"
    case 0x62: return "\u{8}"
    case 0x66: return "\u{c}"
    case 0x6e: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      return unit().map { first in
        // Half of a pair alone stands for nothing.
        guard (0xd800..<0xdc00).contains(first), place + 1 < bytes.count, bytes[place] == 0x5c, bytes[place + 1] == 0x75
        else { return Unicode.Scalar(first).map(Character.init) ?? "\u{fffd}" }
        place += 2
        guard let second = unit(), (0xdc00..<0xe000).contains(second) else { return "\u{fffd}" }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)).map(Character.init) ?? "\u{fffd}"
      }
    default: return nil
    }
  }

  private mutating func unit() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    let digits = bytes[place..<place + 4]
    return digits.allSatisfy { $0 != 0x2b && $0 != 0x2d }
      ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
