// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord

/// A date of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum WebDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970; nil for other text.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[1].utf8.count == 2, let day = number(words[1]),
      let month = months.firstIndex(of: String(words[2])), words[3].utf8.count == 4, let year = number(words[3]),
      CalendarDate.exists(year, Int64(month) + 1, day)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    let parts = clock.compactMap { $0.utf8.count == 2 ? number($0) : nil }
    guard clock.count == 3, parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
    return CalendarDate.days(year, Int64(month) + 1, day) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }
}
