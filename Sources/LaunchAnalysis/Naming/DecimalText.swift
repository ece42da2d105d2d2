// SPDX-License-Identifier: Apache-2.0

/// Numbers with a fixed number of decimals.
package enum DecimalText {
  /// `12.34` for 1234 and two decimals.
  package static func text(_ units: Int64, decimals: Int) -> String {
    var digits = String(units.magnitude)
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    let sign = units < 0 ? "-" : ""
    return decimals == 0 ? sign + digits : sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// `1.23` for 1,234,567 ns.
  package static func milliseconds(_ time: Int64) -> String { text((time + 5_000) / 10_000, decimals: 2) }

  /// Without zeros at the end: `12.3` for 1230 and two decimals.
  package static func trimmed(_ units: Int64, decimals: Int) -> String {
    var (units, decimals) = (units, decimals)
    while decimals > 0, units % 10 == 0 { (units, decimals) = (units / 10, decimals - 1) }
    return text(units, decimals: decimals)
  }

  /// `-1,234` for -1234.
  package static func grouped(_ number: some BinaryInteger) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// `1 commit`, `1,234 launches`.
  ///
  /// - Parameter many: nil if the plural is regular.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + (one.hasSuffix("ch") ? "es" : "s"))"
  }
}
