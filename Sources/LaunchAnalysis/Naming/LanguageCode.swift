// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// Tells by its name whether a function is of the library of a language.
///
/// Generic code is compiled into the program that uses it, so its image says nothing: `std::sort` of C++, and Rust's `core::slice::sort`.
enum LanguageCode {
  /// Swift's modules.
  static let modules = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    "Dispatch", "Swift", "Synchronization", "_Concurrency", "_StringProcessing", "_FoundationCollections",
  ]
  private static let namespaces: Set<Substring> = ["std", "__gnu_cxx", "__cxxabiv1", "hashbrown"]
  /// C++ programs have namespaces such as `core`, too.
  private static let crates: Set<Substring> = ["core", "alloc"]
  private static let modulesOfCrates: Set<Substring> = [
    "alloc", "any", "array", "borrow", "boxed", "cell", "char", "clone", "cmp", "collections", "convert", "default",
    "error", "fmt", "hash", "hint", "intrinsics", "iter", "mem", "num", "ops", "option", "panicking", "pin", "ptr",
    "raw_vec", "rc", "result", "slice", "str", "string", "sync", "task", "time", "unicode", "vec",
  ]

  /// Longer names do not come from a source.
  private static let longest = 8192

  static func contains(_ function: String) -> Bool {
    guard function.utf8.count <= longest else { return false }
    if function.hasPrefix("<") { return isMethodOfRust(function.dropFirst()) }
    return isOfModule(FunctionName.outermost(function[...])) || isOfNamespace(withoutResult(function))
  }

  private static func isOfModule(_ function: Substring) -> Bool {
    modules.contains { module in
      function.hasPrefix(module + ".") || function.hasPrefix("static " + module + ".")
        || function.hasPrefix("(extension in \(module)):")
    }
  }

  private static func isOfNamespace(_ path: Substring) -> Bool {
    let outer = path.prefix { $0 != ":" && $0 != "<" }
    let rest = path.dropFirst(outer.count)
    guard rest.hasPrefix("::") else { return false }
    if namespaces.contains(outer) { return true }
    return crates.contains(outer) && modulesOfCrates.contains(rest.dropFirst(2).prefix { $0 != ":" && $0 != "<" })
  }

  /// The rest of `<a::B as c::D>::e`, or of `<a::B>::e`. A crate implements its own traits, or those of others for its own types.
  private static func isMethodOfRust(_ name: Substring) -> Bool {
    var depth = 0
    var word: Substring.Index?
    var end: Substring.Index?
    var previous: UInt8 = 0
    for place in name.utf8.indices {
      switch name.utf8[place] {
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where previous == UInt8(ascii: "-"): break
      case UInt8(ascii: ">") where depth == 0: end = place
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: " ") where depth == 0 && word == nil && name[place...].hasPrefix(" as "): word = place
      default: break
      }
      if end != nil { break }
      previous = name.utf8[place]
    }
    guard let end else { return false }
    guard let word else { return isTypeOfRust(name[..<end]) }
    return isOfNamespace(name[name.index(word, offsetBy: 4)..<end]) && isTypeOfRust(name[..<word])
  }

  /// Whether a type is of Rust itself: `alloc::vec::Vec<T>`, `[T]`, `&str`, or a generic parameter.
  private static func isTypeOfRust(_ type: Substring) -> Bool {
    var rest = type
    for prefix in ["&", "*const ", "*mut ", "mut ", "dyn "] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
    }
    return !rest.prefix { $0 != "<" && $0 != "[" && $0 != "(" }.contains("::") || isOfNamespace(rest)
  }

  /// The name up to its parameters, without the type of the result, which C++ writes before names of templates.
  private static func withoutResult(_ function: String) -> Substring {
    var depth = 0
    var start = function.startIndex
    var previous = UInt8(ascii: " ")
    for place in function.utf8.indices {
      let character = function.utf8[place]
      let isBeginning = previous == UInt8(ascii: " ") || previous == UInt8(ascii: ":")
      switch character {
      case UInt8(ascii: "(") where depth == 0 && !isBeginning && function[start..<place] != "decltype":
        return function[start..<place]
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ">") where previous == UInt8(ascii: "-"): break
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: " ") where depth == 0: start = function.utf8.index(after: place)
      // Its sign would look like brackets.
      case UInt8(ascii: "o") where depth == 0 && isBeginning && function[place...].hasPrefix("operator"):
        return function[start...]
      default: break
      }
      previous = character
    }
    return function[start...]
  }
}
