/// Text as it may stand in XML 1.0.
enum XMLText {
  /// With markup escaped, and what XML cannot hold written as in Swift.
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
