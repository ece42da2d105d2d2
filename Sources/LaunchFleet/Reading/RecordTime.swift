// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord

/// Wall-clock times of records.
enum RecordTime {
  /// Seconds since 1970 of `2026-11-22T10:00:00.123Z`, also with an offset; nil for other text.
  static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"), text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "),
      let year = number(text, 0, 4), let month = number(text, 5, 2), let day = number(text, 8, 2),
      let hour = number(text, 11, 2), let minute = number(text, 14, 2), let second = number(text, 17, 2),
      CalendarDate.exists(year, month, day), hour < 24, minute < 60, second < 61
    else { return nil }
    var place = 19
    if text[place] == UInt8(ascii: ".") {
      place += 1
      while place < text.count, text[place] &- UInt8(ascii: "0") <= 9 { place += 1 }
    }
    guard place < text.count, let offset = offset(text, place) else { return nil }
    return CalendarDate.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  }

  /// In seconds; `Z` is none.
  private static func offset(_ text: UnsafeRawBufferPointer, _ place: Int) -> Int64? {
    switch text[place] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return place + 1 == text.count ? 0 : nil
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard text.count == place + 6, text[place + 3] == UInt8(ascii: ":"), let hours = number(text, place + 1, 2),
        let minutes = number(text, place + 4, 2)
      else { return nil }
      return (text[place] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    default: return nil
    }
  }

  private static func number(_ text: UnsafeRawBufferPointer, _ place: Int, _ length: Int) -> Int64? {
    var value: Int64 = 0
    for index in place..<place + length {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }
}
