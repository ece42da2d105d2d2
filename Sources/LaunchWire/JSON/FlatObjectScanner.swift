// SPDX-License-Identifier: Apache-2.0

/// Reads the members of one flat JSON object (RFC 8259) where they lie: nothing is copied, nothing allocated.
///
/// A nested value is skipped as a whole. Strings may contain raw control characters, which JSON does not allow: code that
/// prints them must escape them.
package struct FlatObjectScanner {
  package enum Value {
    /// Between the quotes.
    case text(UnsafeRawBufferPointer, hasEscapes: Bool)
    case integer(Int64, UnsafeRawBufferPointer)
    case number(Double, UnsafeRawBufferPointer)
    case flag(Bool)
    case null
    case nested(UnsafeRawBufferPointer)
  }

  package enum Step { case member, end, broken }

  private let start: UnsafePointer<UInt8>
  private let count: Int
  private var place = 0
  private var isFirst = true

  /// The key of the member that `next` found last.
  package private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
  package private(set) var keyHasEscapes = false
  package private(set) var value = Value.null

  /// nil for what does not begin as an object.
  package init?(_ line: UnsafeRawBufferPointer) {
    guard let base = line.baseAddress else { return nil }
    start = base.assumingMemoryBound(to: UInt8.self)
    count = line.count
    skipBlanks()
    guard place < count, start[place] == UInt8(ascii: "{") else { return nil }
    place += 1
  }

  package mutating func next() -> Step {
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
