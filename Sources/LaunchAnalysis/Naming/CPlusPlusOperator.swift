// SPDX-License-Identifier: Apache-2.0

/// An operator of C++ in a demangled name: `C::operator()(int) const`. Its sign looks like brackets, which are left out of
/// other names.
struct CPlusPlusOperator {
  /// `C::operator`, without the type of the result. It may have template arguments.
  let owner: Substring
  /// The sign, or the type of a conversion: `()`, ` bool`.
  let name: Substring

  /// Whether `name` is a type, or `new`.
  var isConversion: Bool { name.first == " " }

  /// nil for another name.
  init?(_ text: Substring) {
    guard let end = Self.endOfWord(in: text) else { return nil }
    let rest = text[end...]
    if rest.first == " " {
      // A conversion, or `new`.
      let type = rest.prefix { $0 != "(" }
      guard type.count > 1, type.count < rest.count else { return nil }
      name = type
    } else if let sign = Self.signs.first(where: rest.hasPrefix) {
      name = rest.prefix(sign.count)
    } else {
      return nil
    }
    owner = text[Self.start(of: text[..<end])..<end]
  }

  /// Longer ones come first.
  private static let signs = [
    "->*", "<=>", "<<=", ">>=", "()", "[]", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", ",",
  ]

  private static let word = "operator"

  /// Where the word `operator` ends, if a name begins with it, outside of brackets.
  private static func endOfWord(in text: Substring) -> Substring.Index? {
    guard text.contains(word) else { return nil }
    var depth = BracketDepth()
    for place in text.indices {
      if depth.value == 0, depth.previous == " " || depth.previous == ":", text[place...].hasPrefix(word) {
        let end = text.index(place, offsetBy: word.count)
        if let next = text[end...].first, !next.isLetter, !next.isNumber, next != "_" { return end }
      }
      depth.read(text[place])
    }
    return nil
  }

  /// Where the name begins, behind the type of the result.
  private static func start(of owner: Substring) -> Substring.Index {
    var depth = 0
    for place in owner.indices.reversed() {
      switch owner[place] {
      case ")", ">", "]": depth += 1
      case "(", "<", "[": depth -= 1
      case " " where depth == 0: return owner.index(after: place)
      default: break
      }
    }
    return owner.startIndex
  }
}
