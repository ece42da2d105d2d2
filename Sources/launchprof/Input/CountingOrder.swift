// SPDX-License-Identifier: Apache-2.0

/// The order in which people count: `app-2.pftrace` comes before `app-10.pftrace`.
enum CountingOrder {
  static func sorted(_ names: [String]) -> [String] { names.sorted(by: precedes) }

  static func precedes(_ left: String, _ right: String) -> Bool {
    var (first, second) = (Substring(left).utf8, Substring(right).utf8)
    while let one = first.first, let other = second.first {
      if isDigit(one), isDigit(other) {
        let (number, next) = (number(&first), number(&second))
        // Without zeros in front, the longer number is the larger one.
        if number.count != next.count { return number.count < next.count }
        if !number.elementsEqual(next) { return number.lexicographicallyPrecedes(next) }
      } else {
        if one != other { return one < other }
        first.removeFirst()
        second.removeFirst()
      }
    }
    if first.isEmpty != second.isEmpty { return first.isEmpty }
    // `1` and `01`.
    return left < right
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The digits at the beginning, without zeros in front. Removes them.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
