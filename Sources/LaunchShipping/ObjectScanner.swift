internal import LaunchRecord

/// Scans one JSON object (RFC 8259); nothing in it recurs.
struct ObjectScanner {
  enum Member {
    case value(Record.Value)
    /// An object or array, as it stands there.
    case nested([UInt8])
    /// `null`, or a number that is no integer of 64 bits.
    case nothing
  }

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

  /// The members of the object; of a key that stands there twice, the first one. nil for what is no object.
  mutating func members() -> [(key: String, member: Member)]? {
    guard take("{") else { return nil }
    var (members, known): ([(key: String, member: Member)], Set<String>) = ([], [])
    if take("}") { return members }
    repeat {
      guard let key = string(), take(":"), let member = member() else { return nil }
      if known.insert(key).inserted { members.append((key, member)) }
    } while take(",")
    return take("}") ? members : nil
  }

  private mutating func member() -> Member? {
    skipBlanks()
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case 0x22: return string().map { .value(.text($0)) }
    case 0x7b, 0x5b:
      let start = place
      return skipNested() ? .nested(Array(bytes[start..<place])) : nil
    default:
      let start = place
      while place < bytes.count, ![0x2c, 0x7d, 0x5d, 0x20, 0x09, 0x0d, 0x0a].contains(bytes[place]) { place += 1 }
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      switch text {
      case "true": return .value(.flag(true))
      case "false": return .value(.flag(false))
      case "null": return .nothing
      default:
        if let number = Int64(text) { return .value(.number(number)) }
        return Double(text).map { number in Int64(exactly: number.rounded()).map { .value(.number($0)) } ?? .nothing }
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
