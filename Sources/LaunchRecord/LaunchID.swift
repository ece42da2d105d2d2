// SPDX-License-Identifier: Apache-2.0

/// Identifies a launch: 128 bits, written as 32 hexadecimal digits.
package struct LaunchID: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64

  /// A new, random id.
  package static func random() -> LaunchID {
    LaunchID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Derives an id from a text (FNV-1a, once for each half). The same text always gives the same id, and the id does
  /// not reveal the text.
  package init(of text: String) {
    self.init(high: Self.hash(text, 0xcbf2_9ce4_8422_2325), low: Self.hash(text, 0x9ae1_6a3b_2f90_404f))
  }

  /// Reads an id; nil if the text is not one. Digits in capitals are not.
  package init?(_ text: String) {
    guard let id = Array(text.utf8).withUnsafeBytes({ LaunchID($0) }) else { return nil }
    self = id
  }

  package init?(_ text: UnsafeRawBufferPointer) {
    guard text.count == 32, let high = Self.word(text, 0), let low = Self.word(text, 16) else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 digits from a place on.
  private static func word(_ text: UnsafeRawBufferPointer, _ from: Int) -> UInt64? {
    var word: UInt64 = 0
    for place in from..<from + 16 {
      let digit = text[place]
      switch digit {
      case 0x30...0x39: word = word << 4 | UInt64(digit &- 0x30)
      case 0x61...0x66: word = word << 4 | UInt64(digit &- 0x57)
      default: return nil
      }
    }
    return word
  }

  package var text: String { Self.digits(high) + Self.digits(low) }

  /// Whether this launch is kept if only one of `count` is. Every caller gets the same answer.
  package func isChosen(oneIn count: Int) -> Bool { high % UInt64(max(1, count)) == 0 }

  /// The id of a part of this launch: 64 bits, never 0.
  package func part(_ name: String) -> UInt64 { max(1, Self.hash(name, high ^ low.byteSwapped)) }

  /// 64 bits as 16 hexadecimal digits.
  package static func digits(_ value: UInt64) -> String { String(value, radix: 16).padded(to: 16) }

  private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
    var hash = seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The last bytes of a text must affect all bits (the final step of MurmurHash3).
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
