/// The escapes of JSON's strings.
package enum JSONEscapes {
  /// The bytes of a string with escapes. Other backslashes stay unchanged; half a surrogate becomes U+FFFD.
  package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
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

  /// A string as it lies between its quotes.
  package static func text(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool) -> String {
    hasEscapes ? String(decoding: decoded(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
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
