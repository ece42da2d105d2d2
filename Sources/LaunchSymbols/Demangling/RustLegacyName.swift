// SPDX-License-Identifier: Apache-2.0

/// A linker name of Rust's older scheme: `_ZN` with the parts of the path, the last of which is a hash.
///
/// The scheme is that of C++ for namespaces, so a C++ demangler also reads it, but leaves the escapes and the hash.
enum RustLegacyName {
  /// The path without its hash, such as `app::Cache<T>::fill`. nil if this is not a name of the scheme.
  static func demangle(_ name: String) -> String? {
    guard name.hasPrefix("_ZN") else { return nil }
    var rest = Substring(name).utf8.dropFirst(3)
    var parts: [Substring] = []
    while let first = rest.first, first >= UInt8(ascii: "1"), first <= UInt8(ascii: "9") {
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard let length = Int(Substring(digits)), length <= rest.count - digits.count else { return nil }
      let part = Substring(rest.dropFirst(digits.count).prefix(length))
      guard part.utf8.count == length else { return nil }
      parts.append(part)
      rest = rest.dropFirst(digits.count + length)
    }
    guard rest.first == UInt8(ascii: "E"), parts.count > 1, let hash = parts.popLast(), isHash(hash) else { return nil }
    return parts.map(unescaped).joined(separator: "::") + RustName.suffix(Substring(rest.dropFirst()))
  }

  /// `app::Cache::fill` of `app::Cache::fill::h0123456789abcdef`. Any other name stays as it is.
  static func withoutHash(_ name: String) -> String {
    let hash = name.suffix(17)
    let path = name[..<hash.startIndex]
    return isHash(hash) && path.hasSuffix("::") && path.utf8.count > 2 ? String(path.dropLast(2)) : name
  }

  private static func isHash(_ part: Substring) -> Bool {
    part.utf8.count == 17 && part.first == "h" && part.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  private static let escapes: [Substring: Character] = [
    "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
  ]

  /// `<T as a::B>` of `_$LT$T$u20$as$u20$a..B$GT$`.
  private static func unescaped(_ part: Substring) -> String {
    // A linker name begins with no dollar, so the scheme puts an underscore before it.
    var rest = part.hasPrefix("_$") ? part.dropFirst() : part
    var text = ""
    while let first = rest.first {
      if first == "$", let end = rest.dropFirst().firstIndex(of: "$"),
        let character = character(rest[..<end].dropFirst())
      {
        text.append(character)
        rest = rest[end...].dropFirst()
      } else if rest.hasPrefix("..") {
        text += "::"
        rest = rest.dropFirst(2)
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  private static func character(_ escape: Substring) -> Character? {
    if let known = escapes[escape] { return known }
    guard escape.first == "u", let code = UInt32(escape.dropFirst(), radix: 16), code >= 0x20, code != 0x7F else {
      return nil
    }
    return Unicode.Scalar(code).map(Character.init)
  }
}
