/// Reads the members of one flat JSON object (RFC 8259) where they lie: nothing is copied, nothing allocated.
///
/// A nested value is passed over as a whole. Strings may hold raw control characters, which JSON does not allow: whoever
/// prints them escapes them.
struct FlatObjectScanner {
  enum Value {
    /// Between the quotes.
    case text(UnsafeRawBufferPointer, hasEscapes: Bool)
    case integer(Int64, UnsafeRawBufferPointer)
    case number(Double, UnsafeRawBufferPointer)
    case flag(Bool)
    case null
    case nested(UnsafeRawBufferPointer)
  }

  enum Step { case member, end, broken }

  private let start: UnsafePointer<UInt8>
  private let count: Int
  private var place = 0
  private var isFirst = true

  /// Of the member that `next` found last.
  private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var keyHasEscapes = false
  private(set) var value = Value.null

  /// nil for what does not begin as an object.
  init?(_ line: UnsafeRawBufferPointer) {
    guard let base = line.baseAddress else { return nil }
    start = base.assumingMemoryBound(to: UInt8.self)
    count = line.count
    skipBlanks()
    guard place < count, start[place] == UInt8(ascii: "{") else { return nil }
    place += 1
  }

  mutating func next() -> Step {
    skipBlanks()
    guard place < count else { return .broken }
    if start[place] == UInt8(ascii: "}") {
      place += 1
      skipBlanks()
      return place == count ? .end : .broken
    }
    if !isFirst {
      guard start[place] == UInt8(ascii: ",") else { return .broken }
      place += 1
      skipBlanks()
    }
    isFirst = false
    guard let (name, hasEscapes) = string() else { return .broken }
    (key, keyHasEscapes) = (name, hasEscapes)
    skipBlanks()
    guard place < count, start[place] == UInt8(ascii: ":") else { return .broken }
    place += 1
    skipBlanks()
    return scanValue() ? .member : .broken
  }

  private mutating func skipBlanks() {
    while place < count {
      switch start[place] {
      case 0x20, 0x09, 0x0a, 0x0d: place += 1
      default: return
      }
    }
  }

  private mutating func string() -> (UnsafeRawBufferPointer, hasEscapes: Bool)? {
    guard place < count, start[place] == UInt8(ascii: "\"") else { return nil }
    place += 1
    let from = place
    var hasEscapes = false
    while place < count {
      let byte = start[place]
      if byte == UInt8(ascii: "\"") {
        defer { place += 1 }
        return (UnsafeRawBufferPointer(start: start + from, count: place - from), hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        place += 1
      }
      place += 1
    }
    return nil
  }

  private mutating func scanValue() -> Bool {
    guard place < count else { return false }
    switch start[place] {
    case UInt8(ascii: "\""):
      guard let (text, hasEscapes) = string() else { return false }
      value = .text(text, hasEscapes: hasEscapes)
      return true
    case UInt8(ascii: "{"), UInt8(ascii: "["): return scanNested()
    case UInt8(ascii: "t"): return scan("true", .flag(true))
    case UInt8(ascii: "f"): return scan("false", .flag(false))
    case UInt8(ascii: "n"): return scan("null", .null)
    default: return scanNumber()
    }
  }

  private mutating func scan(_ word: StaticString, _ meaning: Value) -> Bool {
    let length = word.utf8CodeUnitCount
    guard count - place >= length, (0..<length).allSatisfy({ start[place + $0] == word.utf8Start[$0] }) else {
      return false
    }
    place += length
    value = meaning
    return true
  }

  /// Brackets outside of strings; which kind closes which is not checked.
  private mutating func scanNested() -> Bool {
    let from = place
    var depth = 0
    while place < count {
      switch start[place] {
      case UInt8(ascii: "\""):
        guard string() != nil else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 {
        value = .nested(UnsafeRawBufferPointer(start: start + from, count: place - from))
        return true
      }
    }
    return false
  }

  private mutating func scanNumber() -> Bool {
    let from = place
    let isNegative = start[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var (magnitude, digits) = (Int64(0), 0)
    while place < count {
      let digit = start[place] &- UInt8(ascii: "0")
      if digit > 9 { break }
      magnitude = magnitude &* 10 &+ Int64(digit)
      digits += 1
      place += 1
    }
    guard digits > 0 else { return false }
    let isWhole = place == count || !Self.continuesNumber(start[place])
    if isWhole, digits <= 18 {
      value = .integer(
        isNegative ? -magnitude : magnitude, UnsafeRawBufferPointer(start: start + from, count: place - from))
      return true
    }
    while place < count, Self.continuesNumber(start[place]) { place += 1 }
    let text = UnsafeRawBufferPointer(start: start + from, count: place - from)
    guard let number = Double(String(decoding: text, as: UTF8.self)) else { return false }
    value = .number(number, text)
    return true
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// The escapes of JSON's strings.
enum JSONEscapes {
  /// The bytes that a string with escapes stands for. What is no escape stays as it is; half a surrogate becomes U+FFFD.
  static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < text.count {
      guard text[place] == UInt8(ascii: "\\"), place + 1 < text.count else {
        result.append(text[place])
        place += 1
        continue
      }
      let letter = text[place + 1]
      place += 2
      switch letter {
      case UInt8(ascii: "n"): result.append(0x0a)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0d)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0c)
      case UInt8(ascii: "u"): result += Array(String(character(text, &place)).utf8)
      default: result.append(letter)
      }
    }
    return result
  }

  private static func character(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> Unicode.Scalar {
    guard let first = unit(text, place) else { return "\u{FFFD}" }
    place += 4
    if UTF16.isLeadSurrogate(first), place + 1 < text.count, text[place] == UInt8(ascii: "\\"),
      text[place + 1] == UInt8(ascii: "u"), let second = unit(text, place + 2), UTF16.isTrailSurrogate(second)
    {
      place += 6
      let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
      return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
    return Unicode.Scalar(UInt32(first)) ?? "\u{FFFD}"
  }

  private static func unit(_ text: UnsafeRawBufferPointer, _ place: Int) -> UInt16? {
    guard place + 4 <= text.count else { return nil }
    return UInt16(String(decoding: text[place..<place + 4], as: UTF8.self), radix: 16)
  }
}
