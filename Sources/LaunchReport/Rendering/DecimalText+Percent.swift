// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension DecimalText {
  /// A share that is set, and not measured, with the digits that it was given: `99 %`, `99.9995 %`. One that was divided
  /// among several comparisons has more digits than anyone gives. It is rounded: `99.667 %`.
  package static func percent(_ share: Double) -> String {
    let exact = trimmed(ComparisonNumbers.whole(share * 1e14), decimals: 12)
    guard exact.drop(while: { $0 != "." }).count - 1 > mostGivenDecimals else { return exact + " %" }
    // Three digits of what is left to 0 or 100 %.
    let rest = min(share, 1 - share) * 100
    var (decimals, scale) = (0, 1.0)
    while decimals < 12, rest * scale < 100 { (decimals, scale) = (decimals + 1, scale * 10) }
    return trimmed(ComparisonNumbers.whole(share * 100 * scale), decimals: decimals) + " %"
  }

  /// A share that was measured has more digits than it is sure of: `3.7 %`, `414 %`.
  static func percent(measured share: Double) -> String {
    let scale = share < 0.1 ? 1000.0 : 100
    return percent((share * scale).rounded() / scale)
  }

  private static let mostGivenDecimals = 6

  /// A share of a whole in percent: `12.3`. Empty if there is no whole.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? text(ComparisonNumbers.whole(Double(part) / Double(whole) * 1000), decimals: 1) : ""
  }
}
