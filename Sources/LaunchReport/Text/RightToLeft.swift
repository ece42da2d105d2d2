// SPDX-License-Identifier: Apache-2.0

/// Words that are read from right to left, such as Hebrew and Arabic ones.
enum RightToLeft {
  /// The first strong isolate, and its end. They have no columns, and names cannot contain them: `PlainName`.
  private static let (begin, end) = ("\u{2068}", "\u{2069}")
  private static let letters: [ClosedRange<UInt32>] = [
    0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]

  /// A text in which no such words take the numbers after them along: without isolation, terminals and browsers put the
  /// numbers up to the next Latin letter in the opposite order (D391).
  static func isolated(_ text: String) -> String {
    guard hasLetter(text[...]) else { return text }
    var result = ""
    var isOpen = false
    for (place, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let isIsolated = hasLetter(word)
      if isOpen, !isIsolated { result += end }
      if place > 0 { result += " " }
      if !isOpen, isIsolated { result += begin }
      isOpen = isIsolated
      result += word
    }
    return isOpen ? result + end : result
  }

  private static func hasLetter(_ text: Substring) -> Bool {
    // In UTF-8, U+0590 and all after it begin with such a byte.
    text.utf8.contains { $0 >= 0xD6 }
      && text.unicodeScalars.contains { scalar in letters.contains { $0.contains(scalar.value) } }
  }
}
