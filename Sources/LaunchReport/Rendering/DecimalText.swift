// SPDX-License-Identifier: Apache-2.0

/// Numbers with a fixed number of decimals.
enum DecimalText {
  /// `12.34` for 1234 and two decimals.
  static func text(_ units: Int64, decimals: Int) -> String {
    var digits = String(units.magnitude)
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    let sign = units < 0 ? "-" : ""
    return decimals == 0 ? sign + digits : sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// Without zeros at the end: `12.3` for 1230 and two decimals.
  static func trimmed(_ units: Int64, decimals: Int) -> String {
    var (units, decimals) = (units, decimals)
    while decimals > 0, units % 10 == 0 { (units, decimals) = (units / 10, decimals - 1) }
    return text(units, decimals: decimals)
  }

  /// A share that is set, and not measured, with the digits that it was given: `99 %`, `99.9995 %`. One that was divided
  /// among several comparisons has more digits than anyone gives. It is rounded: `99.667 %`.
  static func percent(_ share: Double) -> String {
    let exact = trimmed(ComparisonNumbers.whole(share * 1e14), decimals: 12)
    guard exact.drop(while: { $0 != "." }).count - 1 > mostGivenDecimals else { return exact + " %" }
    // Three digits of what is left to 0 or 100 %.
    let rest = min(share, 1 - share) * 100
    var (decimals, scale) = (0, 1.0)
    while decimals < 12, rest * scale < 100 { (decimals, scale) = (decimals + 1, scale * 10) }
    return trimmed(ComparisonNumbers.whole(share * 100 * scale), decimals: decimals) + " %"
  }

  private static let mostGivenDecimals = 6

  /// A share of a whole in percent: `12.3`. Empty if there is no whole.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? text(Int64((Double(part) / Double(whole) * 1000).rounded()), decimals: 1) : ""
  }
}
