// SPDX-License-Identifier: Apache-2.0

/// A demangled function name without what all names of a program share: modules, generic arguments, types of parameters.
///
/// `closure #1 () throws -> () in static notes.Notes.run(notes.Options, at: Swift.Int) throws -> ()` becomes
/// `closure #1 in Notes.run(_:at:)`. A name of another form stays as it is. The forms are those of Swift's demangler
/// (`lib/Demangling/NodePrinter.cpp`), of the Itanium C++ ABI, and of Rust's scheme v0.
package enum ShortName {
  package static func of(_ name: String) -> String {
    guard name.utf8.count <= 4096, name.utf8.contains(where: { "(<.: ".utf8.contains($0) }) else { return name }
    let parts = closures(name)
    guard let function = function(parts.function) else { return name }
    return (parts.closures + [function]).joined(separator: " in ")
  }

  /// `closure #1`, `closure #2` and the function in which they were written.
  private static func closures(_ name: String) -> (closures: [String], function: Substring) {
    var closures: [String] = []
    var rest = name[...]
    while rest.hasPrefix("closure #") || rest.hasPrefix("implicit closure #") {
      guard let inner = outermost(" in ", of: rest), let number = rest.firstIndex(of: "#") else { break }
      let digits = rest[rest.index(after: number)...].prefix { $0.isNumber }
      closures.append(rest[..<number] + "#" + digits)
      rest = rest[inner.upperBound...]
    }
    return (closures, rest)
  }

  /// The first place of `word` outside of brackets.
  private static func outermost(_ word: String, of text: Substring) -> Range<Substring.Index>? {
    var depth = BracketDepth()
    for place in text.indices {
      if depth.value == 0, text[place...].hasPrefix(word) { return place..<text.index(place, offsetBy: word.count) }
      depth.read(text[place])
    }
    return nil
  }

  /// nil if the text is not a function's name.
  private static func function(_ text: Substring) -> String? {
    var rest = text
    for prefix in ["static ", "class "] where rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    if rest.hasPrefix("(extension in "), let end = rest.firstRange(of: "):") { rest = rest[end.upperBound...] }
    if let operation = CPlusPlusOperator(rest) {
      return withoutArguments(operation.owner)
        + (operation.isConversion ? withoutArguments(operation.name) : String(operation.name))
    }
    if rest.first == "<" { return method(rest) }
    if rest.prefix(while: { $0 != "(" && $0 != "<" && $0 != " " }).contains("::") { return cPlusPlus(rest) }
    var names: [Substring] = []
    while let component = component(&rest) {
      names.append(component)
      if rest.first == "<" { rest = behindBrackets(rest) }
      guard rest.first == "." else { break }
      rest = rest.dropFirst()
    }
    for word in [" infix", " prefix", " postfix"] where rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
    if rest.first == "<" { rest = behindBrackets(rest) }
    var labels = ""
    if rest.first == "(" {
      if isPlace(inside(rest)) { return nil }
      labels = self.labels(inside(rest))
      rest = behindBrackets(rest)
    }
    let ends = [" -> ", " throws", " async", " : ", " yields"]
    guard !names.isEmpty, rest.isEmpty || ends.contains(where: rest.hasPrefix) else { return nil }
    // Swift's functions are of a module or a type, and C++'s may be of neither.
    if names.count == 1, rest.isEmpty, !labels.isEmpty { return isCPlusPlus(text) ? String(names[0]) : nil }
    if names.count > 2, !nestingTypes.contains(String(names[0])) { names.removeFirst() }
    return names.joined(separator: ".") + labels
  }

  /// Types of the standard library, whose module is not written, that hold other types.
  private static let nestingTypes: Set = [
    "Array", "Character", "Dictionary", "KeyValuePairs", "Range", "Set", "String", "Substring", "Unicode",
  ]

  /// An identifier, an operator, or `read` of `(read in _0123)`, which distinguishes private names.
  private static func component(_ rest: inout Substring) -> Substring? {
    if rest.first == "(" {
      guard let word = inside(rest).firstRange(of: " in _") else { return nil }
      let name = inside(rest)[..<word.lowerBound]
      rest = behindBrackets(rest)
      return name
    }
    if rest.first?.isNumber ?? true { return nil }
    let isIdentifier = rest.first.map { $0.isLetter || $0 == "_" || $0 == "$" } ?? false
    let name = rest.prefix { isIdentifier ? $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" : !"( ".contains($0) }
    rest = rest.dropFirst(name.count)
    return name.isEmpty ? nil : name
  }

  /// `(_:at:)` of `notes.Options, at: Swift.Int`.
  private static func labels(_ parameters: Substring) -> String {
    var labels = "("
    var rest = parameters
    while !rest.isEmpty {
      let end = outermost(", ", of: rest)
      let parameter = rest[..<(end?.lowerBound ?? rest.endIndex)]
      let label = parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      labels += parameter[label.endIndex...].hasPrefix(": ") ? label + ":" : "_:"
      rest = end.map { rest[$0.upperBound...] } ?? ""
    }
    return labels + ")"
  }

  /// Whether it is a place in a file, which engines of JavaScript write like parameters: `app.js:1:20`.
  private static func isPlace(_ text: Substring) -> Bool {
    let number = text.reversed().prefix { $0.isNumber }
    return !number.isEmpty && text.dropLast(number.count).last == ":"
  }

  /// Whether parameters are of types that Swift does not write so.
  private static func isCPlusPlus(_ text: Substring) -> Bool {
    ["::", "*", " const", "&"].contains { text.contains($0) }
  }

  /// `a::b` of `a::b<c>(d) const`.
  private static func cPlusPlus(_ text: Substring) -> String {
    let name = withoutArguments(text)
    let parameters = name.indices.first { place in
      name[place] == "(" && place > name.startIndex && !name[..<place].hasSuffix("::")
    }
    return String(name[..<(parameters ?? name.endIndex)])
  }

  /// `a::B::c` of Rust's `<a::B<d>>::c::<e>`, and `<a::B as f::G>::c` of `<a::B<d> as f::G<e>>::c`.
  private static func method(_ text: Substring) -> String? {
    let owner = inside(text)
    let name = behindBrackets(text)
    guard !owner.isEmpty, name.hasPrefix("::") else { return nil }
    guard let word = outermost(" as ", of: owner) else { return withoutArguments(owner) + withoutArguments(name) }
    let (type, implemented) = (withoutArguments(owner[..<word.lowerBound]), withoutArguments(owner[word.upperBound...]))
    return "<\(type) as \(implemented)>" + withoutArguments(name)
  }

  /// `a::b` of `a::b<c>`, and of Rust's `a::b::<c>`.
  private static func withoutArguments(_ text: Substring) -> String {
    var name = ""
    var depth = 0
    var previous: Character = " "
    for character in text {
      switch character {
      case "<":
        if depth == 0, name.hasSuffix("::") { name.removeLast(2) }
        depth += 1
      case ">" where previous != "-" && depth > 0: depth -= 1
      default: if depth == 0 { name.append(character) }
      }
      previous = character
    }
    return name
  }

  private static func inside(_ text: Substring) -> Substring {
    let whole = text[..<behindBrackets(text).startIndex]
    return whole.count < 2 ? "" : whole.dropFirst().dropLast()
  }

  /// What follows the bracket that `text` begins with.
  private static func behindBrackets(_ text: Substring) -> Substring {
    var depth = BracketDepth()
    for place in text.indices {
      depth.read(text[place])
      if depth.value == 0 { return text[text.index(after: place)...] }
    }
    return text[text.endIndex...]
  }
}
