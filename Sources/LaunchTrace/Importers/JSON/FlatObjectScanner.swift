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

  private var scanner: JSONScanner
  private var isFirst = true

  /// The key of the member that `next` found last.
  package private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
  package private(set) var keyHasEscapes = false
  package private(set) var value = Value.null

  /// nil for what does not begin as an object.
  package init?(_ line: UnsafeRawBufferPointer) {
    scanner = JSONScanner(line)
    guard take(UInt8(ascii: "{")) else { return nil }
  }

  package mutating func next() -> Step {
    if take(UInt8(ascii: "}")) { return byte() == nil ? .end : .broken }
    guard isFirst || take(UInt8(ascii: ",")) else { return .broken }
    isFirst = false
    guard byte() == UInt8(ascii: "\""), let name = try? scanner.string() else { return .broken }
    (key, keyHasEscapes) = name
    return take(UInt8(ascii: ":")) && scanValue() ? .member : .broken
  }

  /// The next byte that is not blank; nil at the end. JSONScanner takes all control characters for blanks.
  @inline(__always)
  private mutating func byte() -> UInt8? {
    while scanner.cursor < scanner.end {
      let byte = scanner.cursor.load(as: UInt8.self)
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d: scanner.take()
      default: return byte
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func take(_ wanted: UInt8) -> Bool {
    guard byte() == wanted else { return false }
    scanner.take()
    return true
  }

  private mutating func scanValue() -> Bool {
    switch byte() {
    case UInt8(ascii: "\""):
      guard let text = try? scanner.string() else { return false }
      value = .text(text.bytes, hasEscapes: text.isEscaped)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let bytes = try? scanner.skipValue() else { return false }
      value = .nested(bytes)
    case UInt8(ascii: "t"): return scan("true", .flag(true))
    case UInt8(ascii: "f"): return scan("false", .flag(false))
    case UInt8(ascii: "n"): return scan("null", .null)
    default: return scanNumber()
    }
    return true
  }

  private mutating func scan(_ word: StaticString, _ meaning: Value) -> Bool {
    let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard let text = try? scanner.scalar(), text.elementsEqual(bytes) else { return false }
    value = meaning
    return true
  }

  /// A whole number of up to 18 digits is read on the way.
  private mutating func scanNumber() -> Bool {
    let start = scanner.cursor
    let isNegative = take(UInt8(ascii: "-"))
    var magnitude: Int64 = 0
    let first = scanner.cursor
    while let digit = scanner.digit() { magnitude = magnitude &* 10 &+ Int64(digit) }
    let digits = scanner.cursor - first
    if digits == 0 { return false }
    if !scanner.isWithinScalar, digits <= 18 {
      value = .integer(isNegative ? -magnitude : magnitude, scanner.bytes(from: start))
      return true
    }
    while scanner.isWithinScalar { scanner.take() }
    let text = scanner.bytes(from: start)
    // Double also takes hexadecimal numbers.
    guard !text.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
      let number = Double(String(decoding: text, as: UTF8.self))
    else { return false }
    value = .number(number, text)
    return true
  }
}
