// SPDX-License-Identifier: Apache-2.0

/// The number of terminal columns of a text.
enum DisplayWidth {
  static func columns(_ text: String) -> Int {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    return isASCII ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
  }

  static func columns(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if scalars.count > 1 {
      // Emoji of several parts, flags, and characters that U+FE0F turns into emoji.
      let isAsked = scalars.contains("\u{FE0F}") && scalars.first?.properties.isEmoji == true
      let isEmoji = isAsked || scalars.contains { $0.properties.isEmojiPresentation }
      if isEmoji || scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) { return 2 }
    }
    return scalars.reduce(0) { $0 + columns($1) }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    // Vowels and finals of Hangul join the syllable before them. File names of macOS have them.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  /// `text` in at most `columns` columns. `ellipsis` marks a cut.
  static func truncated(_ text: String, to columns: Int, ellipsis: String) -> String {
    guard Self.columns(text) > columns else { return text }
    let room = columns - Self.columns(ellipsis)
    guard room > 0 else { return String(repeating: ".", count: max(0, columns)) }
    var result = ""
    var used = 0
    for character in text {
      let width = Self.columns(character)
      if used + width > room { break }
      result.append(character)
      used += width
    }
    return result + ellipsis
  }

  private static func isWide(_ value: UInt32) -> Bool {
    value >= 0x1100 && wide.contains { $0.contains(value) }
  }

  /// East_Asian_Width W and F of Unicode 16 (EastAsianWidth.txt), neighbours joined; emoji are known by property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
    0x3250...0x4DBF, 0x4DC0...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
