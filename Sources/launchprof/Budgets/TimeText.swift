// SPDX-License-Identifier: Apache-2.0

/// A span of time as people write it: `16ms`, `0.4 s`, `250us`.
enum TimeText {
  /// Nanoseconds by unit.
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("min", 60_000_000_000),
  ]

  static let expectation = "a time such as 16ms, 0.4 s or 250us (units: ns, us, ms, s, min)"

  /// Nanoseconds; nil if the text is not such a time, is negative, or is longer than 292 years.
  ///
  /// - Parameter defaultUnit: the unit of a bare number; nil if the text must name its unit.
  static func nanoseconds(_ text: String, defaultUnit: String? = nil) -> Int64? {
    let trimmed = text.drop { $0 == " " }
    let number = trimmed.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let rest = trimmed[number.endIndex...].drop { $0 == " " }
    let unitName = rest.isEmpty ? defaultUnit : String(rest.reversed().drop { $0 == " " }.reversed())
    guard let unit = units.first(where: { $0.name == unitName }) else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, number != ".", !number.isEmpty else { return nil }
    guard let whole = Int64(parts[0].isEmpty ? "0" : parts[0]) else { return nil }
    let (wholeTime, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
    guard !overflow else { return nil }
    // Digit by digit, because 0.4 has no exact binary form. Fractions of a nanosecond are dropped.
    var fraction: Int64 = 0
    var weight = unit.nanoseconds
    for digit in parts.count == 2 ? parts[1] : "" {
      weight /= 10
      fraction += Int64(digit.wholeNumberValue ?? 0) * weight
    }
    let (sum, tooLong) = wholeTime.addingReportingOverflow(fraction)
    return tooLong ? nil : sum
  }
}
