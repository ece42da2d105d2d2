// SPDX-License-Identifier: Apache-2.0

/// Names as a report may show them: no control characters, nothing that hides or reorders text.
enum PlainName {
  /// Characters that a format gives a meaning to, and that are escaped too.
  struct Escapes: OptionSet {
    let rawValue: UInt8
    /// `;` parts the names of a path; then `\` is escaped too, so that the name can be had back.
    static let pathSeparator = Escapes(rawValue: 1)
    /// Everything beyond ASCII.
    static let beyondASCII = Escapes(rawValue: 2)
  }

  /// `name`, with characters that a line of text must not contain escaped as in Swift: `\n`, `\u{202E}`.
  static func escaped(_ name: String, _ escapes: Escapes = []) -> String {
    let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x3b && $0 != 0x5c }
    if isPlain { return name }
    var result = ""
    for scalar in name.unicodeScalars { append(scalar, to: &result, escapes) }
    return result
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String, _ escapes: Escapes) {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\\" where escapes.contains(.pathSeparator): result += "\\\\"
    case ";" where escapes.contains(.pathSeparator): result += "\\u{3B}"
    case " "..."~": result.unicodeScalars.append(scalar)
    default:
      if escapes.contains(.beyondASCII) || !isVisible(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The first `most` scalars of a text. `ellipsis` marks a cut.
  static func cut(_ text: String, to most: Int, ellipsis: String = "…") -> String {
    guard text.utf8.count > most else { return text }
    let head = text.unicodeScalars.prefix(most)
    return head.endIndex == text.endIndex ? text : String(head) + ellipsis
  }

  /// False for what is not text: controls, bidirectional and other format characters, separators of lines, private
  /// use, and what Unicode has not assigned. The joiners of emoji and of scripts are text.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{200D}" || scalar == "\u{200C}" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    default: return true
    }
  }
}

extension String {
  /// With a text in the place of some scalars. (A `"` with a combining accent is another Character, but still a quote.)
  func replacing(scalars: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += scalars[$1] ?? String($1) }
  }
}
