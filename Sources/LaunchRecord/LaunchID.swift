// SPDX-License-Identifier: Apache-2.0

/// Identifies a launch: 128 bits, written as 32 hexadecimal digits.
package struct LaunchID: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt64

  /// A new, random id.
  package static func random() -> LaunchID {
    LaunchID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Derives an id from a text (FNV-1a, once for each half). The same text always gives the same id, and the id does
  /// not reveal the text.
  package init(of text: String) {
    self.init(high: Self.hash(text, 0xcbf2_9ce4_8422_2325), low: Self.hash(text, 0x9ae1_6a3b_2f90_404f))
  }

  /// Reads an id; nil if the text is not one.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32, digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  package var text: String { Self.digits(high) + Self.digits(low) }

  /// Whether this launch is kept if only one of `count` is. Every caller gets the same answer.
  package func isChosen(oneIn count: Int) -> Bool { high % UInt64(max(1, count)) == 0 }

  /// The id of a part of this launch: 64 bits, never 0.
  package func part(_ name: String) -> UInt64 { max(1, Self.hash(name, high ^ low.byteSwapped)) }

  private static func digits(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
    var hash = seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The last bytes of a text must affect all bits (the final step of MurmurHash3).
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
