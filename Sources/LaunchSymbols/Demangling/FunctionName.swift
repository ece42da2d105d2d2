// SPDX-License-Identifier: Apache-2.0

/// The function from which the compiler derived a function, according to its demangled name.
///
/// Swift's compiler splits an async function at its suspensions, wraps closures and protocol requirements, and makes
/// specialised copies. Each has its own symbol, although the source has one function. The patterns are those of Swift's
/// demangler (`lib/Demangling/NodePrinter.cpp`). Other names are not changed.
package struct FunctionName: Sendable, Equatable {
  package enum Role: Sendable, Equatable {
    /// A function of the source, or a specialised copy of it.
    case function
    /// The part of an async function that runs after one of its suspensions.
    case resumption
    /// It only calls `text`: a partial application, a protocol witness, or a dispatch thunk.
    case thunk
    /// It only adapts one calling convention to another. The name does not say which function it calls.
    case reabstraction
  }

  /// The function as in the source, without `Swift.` before types of the standard library.
  package var text: String
  package var role: Role
  /// Whether it belongs to the module `Swift`, which `text` does not contain.
  package var isOfStandardLibrary = false

  /// Whether this is not code of the source, but only calls it.
  package var isThunk: Bool { role == .thunk || role == .reabstraction }

  /// - Parameter name: the demangled name. A very long one is not changed.
  package init(_ name: String) {
    text = name
    role = .function
    if name.utf8.count > Demangler.longest { return }
    guard name.utf8.contains(UInt8(ascii: " ")) else {
      isOfStandardLibrary = Self.isOfStandardLibrary(name[...])
      text = Self.withoutStandardModule(name)
      return
    }
    var rest = name[...]
    if let suffix = rest.firstRange(of: Self.suffix) {
      // Suffixes of functions that the optimiser merged or copied later, such as ".28TQ0_".
      if rest[suffix.upperBound...].contains("TQ") || rest[suffix.upperBound...].contains("TY") { role = .resumption }
      rest = rest[..<suffix.lowerBound]
    }
    while let (shorter, found) = Self.unwrap(rest) {
      rest = shorter
      // A part of a thunk is a thunk.
      if found != .function, !isThunk { role = found }
    }
    if rest.hasPrefix(Self.reabstraction) {
      role = .reabstraction
      rest = rest.prefix(Self.reabstraction.count)
    }
    isOfStandardLibrary = Self.isOfStandardLibrary(rest)
    text = Self.withoutStandardModule(String(rest))
  }

  /// True for `Swift.Array.append` and `closure #1 in static Swift.Int.f`. False for `(extension in
  /// app):Swift.Int.f`, which belongs to the app.
  private static func isOfStandardLibrary(_ name: Substring) -> Bool {
    var rest = outermost(name)
    for prefix in ["static ", "class "] where rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    return rest.hasPrefix("Swift.") || rest.hasPrefix("(extension in Swift):")
  }

  /// Goes from a closure, or a local function, to the function around all of them.
  package static func outermost(_ name: Substring) -> Substring {
    var (rest, unseen) = (name, name)
    // `(extension in M):` is not a closure, nor is `(name in _0123…)`, which is private to a file.
    while !rest.hasPrefix("(extension in "), let inner = unseen.firstRange(of: " in ") {
      unseen = unseen[inner.upperBound...]
      if !isDiscriminator(unseen) { rest = unseen }
    }
    return rest
  }

  private static func isDiscriminator(_ text: Substring) -> Bool {
    let word = text.prefix { $0 != ")" }
    return word.first == "_" && word.utf8.count == 33 && word.dropFirst().allSatisfy(\.isHexDigit)
  }

  private static let reabstraction = "reabstraction thunk"
  private static let suffix = " with unmangled suffix \""

  private static let wrappers: [(prefix: String, role: Role)] = [
    ("partial apply forwarder for ", .thunk), ("partial apply for ", .thunk), ("protocol witness for ", .thunk),
    ("dispatch thunk of ", .thunk), ("@objc ", .thunk), ("async function pointer to ", .thunk),
    ("merged ", .function), ("specialized ", .function),
  ]
  private static let specializations = [
    "generic specialization <", "generic not re-abstracted specialization <", "generic partial specialization <",
    "generic pre-specialization <", "function signature specialization <", "inlined generic function <",
  ]

  /// The name without its outermost wrapper; nil if it has none.
  private static func unwrap(_ name: Substring) -> (Substring, Role)? {
    for wrapper in wrappers where name.hasPrefix(wrapper.prefix) {
      let inner = name.dropFirst(wrapper.prefix.count)
      return (inner.firstRange(of: " in conformance ").map { inner[..<$0.lowerBound] } ?? inner, wrapper.role)
    }
    for prefix in specializations where name.hasPrefix(prefix) {
      return behindBracket(name.dropFirst(prefix.count)).map { ($0, .function) }
    }
    // "(2) suspend resume partial function for …"
    if name.first == "(", let close = name.firstIndex(of: ")"), name[..<close].dropFirst().allSatisfy(\.isNumber) {
      for prefix in [") await resume partial function for ", ") suspend resume partial function for "]
      where name[close...].hasPrefix(prefix) { return (name[close...].dropFirst(prefix.count), .resumption) }
    }
    return nil
  }

  /// The text after `> of `, whose bracket closes the one that is open at the beginning.
  private static func behindBracket(_ name: Substring) -> Substring? {
    var depth = 1
    var previous: Character = " "
    for index in name.indices {
      switch name[index] {
      case "<": depth += 1
      case ">" where previous != "-":
        depth -= 1
        if depth == 0 {
          let rest = name[name.index(after: index)...]
          return rest.hasPrefix(" of ") ? rest.dropFirst(4) : nil
        }
      default: break
      }
      previous = name[index]
    }
    return nil
  }

  /// Shortens `Swift.Int` to Int, and `(extension in Swift):Swift.Sequence.map` to Sequence.map.
  private static func withoutStandardModule(_ name: String) -> String {
    guard name.contains("Swift.") else { return name }
    var text = ""
    var previous: Character = " "
    var rest = name[...]
    if rest.hasPrefix("(extension in Swift):") { rest = rest.dropFirst("(extension in Swift):".count) }
    while let first = rest.first {
      if first == "S", !previous.isLetter, !previous.isNumber, !"_.$".contains(previous), rest.hasPrefix("Swift.") {
        rest = rest.dropFirst("Swift.".count)
        // An operator's name would lose its dot.
        if let next = rest.first, !next.isLetter, next != "_" { text += "Swift." }
        previous = "."
        continue
      }
      text.append(first)
      previous = first
      rest = rest.dropFirst()
    }
    return text
  }
}
