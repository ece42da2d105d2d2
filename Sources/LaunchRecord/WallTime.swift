// SPDX-License-Identifier: Apache-2.0

/// A time of the machine's clock, in the format of records: `2026-11-22T10:00:00.123Z` (RFC 3339, UTC).
package struct WallTime: Sendable, Equatable {
  /// ns since 1970-01-01 00:00 UTC.
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package var text: String {
    let milliseconds = Self.floor(nanoseconds, 1_000_000)
    let seconds = Self.floor(milliseconds, 1000)
    let days = Self.floor(seconds, 86_400)
    let (year, month, day) = Self.date(days)
    let second = seconds - days * 86_400
    return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))T"
      + "\(Self.digits(second / 3600, 2)):\(Self.digits(second / 60 % 60, 2)):\(Self.digits(second % 60, 2))"
      + ".\(Self.digits(milliseconds - seconds * 1000, 3))Z"
  }

  /// Reads a time in this format; nil if the text is not one.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[10] == 0x54, bytes[19] == 0x2e, bytes[23] == 0x5a else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), let milli = number(20..<23),
      (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second < 61
    else { return nil }
    let seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    nanoseconds = (seconds * 1000 + milli) * 1_000_000
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  private static func floor(_ value: Int64, _ unit: Int64) -> Int64 { (value - (value % unit + unit) % unit) / unit }

  /// The date of a day since 1970 (Howard Hinnant's civil_from_days: years begin in March).
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floor(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
