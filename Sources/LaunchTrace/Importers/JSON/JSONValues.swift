// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes of JSON values.
enum JSONValues {
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

  /// A process or thread id; nil if it is not a number that a system gives.
  static func id(_ text: UnsafeRawBufferPointer) -> Int32? {
    if let whole = text.decimal { return Int32(exactly: whole) }
    guard let value = double(text), value >= 0, value <= Double(Int32.max) else { return nil }
    return Int32(value)
  }
}
