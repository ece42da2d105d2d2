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
    let second = seconds - days * 86_400
    let clock = [second / 3600, second / 60 % 60, second % 60].map { String($0).padded(to: 2) }.joined(separator: ":")
    return "\(CalendarDate.text(days))T\(clock).\(String(milliseconds - seconds * 1000).padded(to: 3))Z"
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
      (1970...2200).contains(year), CalendarDate.exists(year, month, day), hour < 24, minute < 60, second < 61
    else { return nil }
    let seconds = CalendarDate.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    nanoseconds = (seconds * 1000 + milli) * 1_000_000
  }

  private static func floor(_ value: Int64, _ unit: Int64) -> Int64 { value / unit - (value % unit < 0 ? 1 : 0) }
}
