// SPDX-License-Identifier: Apache-2.0

/// Dates of the Gregorian calendar as days since 1970-01-01 (Howard Hinnant's chrono-compatible low-level date
/// algorithms: years begin in March).
package enum CalendarDate {
  /// Month 13 is the next January.
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether the calendar has this day.
  package static func exists(_ year: Int64, _ month: Int64, _ day: Int64) -> Bool {
    (1...12).contains(month) && day > 0 && (day <= 28 || days(year, month, day) < days(year, month + 1, 1))
  }

  /// `2026-11-22`.
  package static func text(_ days: Int64) -> String {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return "\(String(year).padded(to: 4))-\(String(month).padded(to: 2))-\(String(day).padded(to: 2))"
  }
}

extension String {
  /// The number, with zeros in front up to `count` digits.
  func padded(to count: Int) -> String { String(repeating: "0", count: max(0, count - utf8.count)) + self }
}
