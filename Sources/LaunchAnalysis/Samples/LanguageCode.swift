// SPDX-License-Identifier: Apache-2.0

/// Tells code of a language's libraries that the compiler puts into the program: generic code, and functions that it inlines.
/// The reader cannot change it.
enum LanguageCode {
  /// Modules of Swift. A function's name begins with that of its module.
  static let modules = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    "Dispatch", "Swift", "Synchronization", "_Concurrency", "_StringProcessing", "_FoundationCollections",
  ]

  /// Namespaces of C++ and crates of Rust.
  private static let namespaces = ["std::", "__gnu_cxx::"] + crates
  /// A program may have a namespace with the name of a crate. Its functions have parameters in their names.
  private static let crates = ["core::", "alloc::", "hashbrown::"]

  /// Where compilers have the sources of these libraries.
  private static let folders = ["/usr/include/", "/usr/lib/", "/rustc/"]

  static func contains(function: String) -> Bool {
    modules.contains { isOfModule(function, $0) } || isOfNamespace(function)
  }

  /// - Parameter file: where the function was written; empty if that is not known.
  static func contains(file: String) -> Bool {
    folders.contains { file.hasPrefix($0) } || file.firstRange(of: "/stdlib/public/") != nil
  }

  private static func isOfModule(_ function: String, _ module: String) -> Bool {
    function.hasPrefix(module + ".") || function.hasPrefix("static " + module + ".")
      || function.hasPrefix("(extension in \(module)):")
  }

  private static func isOfNamespace(_ function: String) -> Bool {
    guard function.utf8.count <= 4096, namespaces.contains(where: { function.firstRange(of: $0) != nil }) else {
      return false
    }
    // Rust's `<core::option::Option<T> as core::clone::Clone>::clone`: both the type and the trait.
    if function.first == "<" {
      guard let word = function.firstRange(of: " as ") else { return isNamed(function.dropFirst()) }
      return isNamed(function.dropFirst()) && isNamed(function[word.upperBound...])
    }
    let name = qualified(function)
    let isOfProgram = name.endIndex < function.endIndex && crates.contains { name.hasPrefix($0) }
    return isNamed(name) && !isOfProgram
  }

  private static func isNamed(_ name: Substring) -> Bool { namespaces.contains { name.hasPrefix($0) } }

  /// `std::sort<int*>` of `void std::sort<int*>(int*, int*)`: the name without parameters. Only names of templates begin
  /// with what they return.
  private static func qualified(_ function: String) -> Substring {
    var (depth, begin) = (0, function.startIndex)
    for place in function.indices {
      switch function[place] {
      case "<", "[": depth += 1
      case ">", "]": depth -= 1
      case " " where depth == 0: begin = function.index(after: place)
      case "(" where depth == 0: return function[begin..<place]
      default: break
      }
    }
    return function[begin...]
  }
}
