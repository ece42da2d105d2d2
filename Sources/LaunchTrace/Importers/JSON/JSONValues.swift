/// Decodes the bytes of JSON values.
enum JSONValues {
  /// The text of a string with escapes (RFC 8259, 7). A single half of a surrogate pair becomes U+FFFD.
  static func unescape(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard byte == UInt8(ascii: "\\"), place < bytes.count else {
        text.append(byte)
        continue
      }
      let escape = bytes[place]
      place += 1
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"): text += Array(String(scalar(bytes, &place)).utf8)
      default: text.append(escape)
      }
    }
    return text
  }

  private static func scalar(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Character {
    guard let first = unit(bytes, place) else { return "\u{fffd}" }
    place += 4
    if (0xd800..<0xdc00).contains(first), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u"), let second = unit(bytes, place + 2), (0xdc00..<0xe000).contains(second)
    {
      place += 6
      let value = 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
      return Unicode.Scalar(value).map(Character.init) ?? "\u{fffd}"
    }
    return Unicode.Scalar(first).map(Character.init) ?? "\u{fffd}"
  }

  private static func unit(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + 4)])
    return digits.hexadecimalValue.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Converts microseconds, as a number or in a string, to ns, exactly; nil if the value is not a number. A value
  /// that does not fit becomes the nearest one that fits, which the trace then drops.
  static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    var place = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { place = 1 }
    var value: Int64 = 0
    var digits = 0
    while place < text.count, digits < 19, text[place] &- 0x30 <= 9 {
      value = value &* 10 &+ Int64(text[place] &- 0x30)
      digits += 1
      place += 1
    }
    // Nineteen digits of microseconds do not fit.
    if digits == 0 || digits == 19 || value > .max / 1000 - 1 { return slowNanoseconds(text) }
    value *= 1000
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place += 1
      var scale: Int64 = 100
      var isRounded = false
      while place < text.count, text[place] &- 0x30 <= 9 {
        let digit = Int64(text[place] &- 0x30)
        if scale > 0 {
          value += digit * scale
          scale /= 10
        } else if !isRounded {
          value += digit >= 5 ? 1 : 0
          isRounded = true
        }
        place += 1
      }
    }
    if place < text.count { return slowNanoseconds(text) }
    return isNegative ? -value : value
  }

  /// Exponents, and numbers that do not fit.
  private static func slowNanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count <= 400, let value = Double(String(decoding: text, as: UTF8.self)), !value.isNaN else { return nil }
    let scaled = (value * 1000).rounded(.toNearestOrAwayFromZero)
    if abs(scaled) < 9.2e18 { return Int64(scaled) }
    return scaled < 0 ? .min : .max
  }

  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 400, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// A process or thread id; 0 if it does not fit 32 bits, as in trace_processor.
  static func id(_ text: UnsafeRawBufferPointer) -> Int32? {
    if let whole = text.decimal { return Int32(truncatingIfNeeded: whole > UInt32.max ? 0 : whole) }
    guard let value = double(text) else { return nil }
    return value >= 0 && value <= Double(UInt32.max) ? Int32(truncatingIfNeeded: Int64(value)) : 0
  }
}
