// SPDX-License-Identifier: Apache-2.0

/// The order in which people count: `app-2.pftrace` before `app-10.pftrace`, 2.9 before 2.10.
package enum CountingOrder {
  /// The order of files.
  package static func precedes(_ left: String, _ right: String) -> Bool { precedes(left, right, areReleases: false) }

  /// The order of versions and other values of records: 3.0-beta before 3.0.
  package static func releasePrecedes(_ left: String, _ right: String) -> Bool {
    precedes(left, right, areReleases: true)
  }

  /// The order of lists of such values.
  package static func releasesPrecede(_ left: [String], _ right: [String]) -> Bool {
    for (first, second) in zip(left, right) where first != second { return releasePrecedes(first, second) }
    return left.count < right.count
  }

  private static func precedes(_ left: String, _ right: String, areReleases: Bool) -> Bool {
    var (rest, other) = (left.utf8[...], right.utf8[...])
    if areReleases { (rest, other) = (withoutLetter(rest), withoutLetter(other)) }
    while !rest.isEmpty || !other.isEmpty {
      if let first = rest.first, let second = other.first, isDigit(first), isDigit(second) {
        let (a, b) = (number(&rest), number(&other))
        // Without zeros in front, the longer number is the larger one.
        if a.count != b.count { return a.count < b.count }
        if !a.elementsEqual(b) { return a.lexicographicallyPrecedes(b) }
      } else {
        let (first, second) = (rank(rest.first, areReleases), rank(other.first, areReleases))
        if first != second { return first < second }
        rest = rest.dropFirst()
        other = other.dropFirst()
      }
    }
    // `01` and `1`.
    return left < right
  }

  /// `v2.0` is the version 2.0.
  private static func withoutLetter(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.dropFirst()
    return text.first == UInt8(ascii: "v") && digits.first.map(isDigit) == true ? digits : text
  }

  /// The end is before all bytes. But a hyphen of a release begins a pre-release, which is before the release.
  private static func rank(_ byte: UInt8?, _ areReleases: Bool) -> Int {
    areReleases && byte == UInt8(ascii: "-") ? -1 : byte.map { Int($0) + 1 } ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// The digits at the beginning, without zeros before them. Removes them.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
