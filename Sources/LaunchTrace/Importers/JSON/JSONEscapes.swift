// SPDX-License-Identifier: Apache-2.0

/// The escapes of JSON's strings (RFC 8259, 7).
package enum JSONEscapes {
  /// The bytes of a string with escapes. Half of a surrogate pair, and `\\u` before what is not four hexadecimal
  /// digits, become U+FFFD.
  package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let byte = text[place]
      place += 1
      guard byte == UInt8(ascii: "\\"), place < text.count else {
        result.append(byte)
        continue
      }
      let letter = text[place]
      place += 1
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0c)
      case UInt8(ascii: "n"): result.append(0x0a)
      case UInt8(ascii: "r"): result.append(0x0d)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"): result += String(scalar(text, &place)).utf8
      default: result.append(letter)
      }
    }
    return result
  }

  /// The text of a string, given what is between its quotes.
  package static func text(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool) -> String {
    withText(bytes, hasEscapes: hasEscapes) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of that text.
  static func withText<Result>(
    _ bytes: UnsafeRawBufferPointer, hasEscapes: Bool, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result { hasEscapes ? decoded(bytes).withUnsafeBytes { body($0) } : body(bytes) }

  static func withText<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withText(bytes, hasEscapes: bytes.contains(UInt8(ascii: "\\")), body)
  }

  private static func scalar(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> Unicode.Scalar {
    guard let first = unit(text, place) else { return "\u{fffd}" }
    place += 4
    if UTF16.isLeadSurrogate(first), place + 1 < text.count, text[place] == UInt8(ascii: "\\"),
      text[place + 1] == UInt8(ascii: "u"), let second = unit(text, place + 2), UTF16.isTrailSurrogate(second)
    {
      place += 6
      let value = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)
      return Unicode.Scalar(value) ?? "\u{fffd}"
    }
    return Unicode.Scalar(first) ?? "\u{fffd}"
  }

  private static func unit(_ text: UnsafeRawBufferPointer, _ place: Int) -> UInt16? {
    guard place + 4 <= text.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: text[place..<place + 4]).hexadecimalValue.map { UInt16($0) }
  }
}
