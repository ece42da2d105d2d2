// SPDX-License-Identifier: Apache-2.0

/// Text for XML 1.0.
enum XMLText {
  /// Escapes markup. Characters that XML does not allow are written like in Swift.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PlainName.escaped(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
