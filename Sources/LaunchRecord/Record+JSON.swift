// SPDX-License-Identifier: Apache-2.0

extension Record {
  /// The record as one JSON object, without a line feed.
  package var line: String {
    var text = "{"
    for field in fields {
      if text.utf8.count > 1 { text += "," }
      text.append(json: field.key)
      text += ":"
      switch field.value {
      case .text(let value): text.append(json: value)
      case .number(let value): text += String(value)
      case .flag(let value): text += value ? "true" : "false"
      }
    }
    return text + "}"
  }
}

extension String {
  /// Appends a JSON string (RFC 8259). Escapes control characters and invisible characters.
  package mutating func append(json text: String) {
    self += "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: self += "\\\""
      case 0x5c: self += "\\\\"
      case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff:
        self += "\\u" + String(scalar.value, radix: 16).padded(to: 4)
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }
}
