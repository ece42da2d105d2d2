// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSymbols
internal import LaunchSystem

/// Demangles linker names.
package enum Demangler {
  /// Longer names are not demangled, because demanglers recurse over them.
  static let longest = 8192
  private static let staticInitializer = "_GLOBAL__sub_I_"

  /// The demangled name, or `name` itself if it is not mangled. Without what keeps static functions of one name apart, because
  /// that is another one in each build.
  package static func demangle(_ name: String) -> String {
    guard name.utf8.count <= longest, !name.utf8.contains(0) else { return name }
    let name = withoutNumbers(name)
    if ["$s", "_$s", "$S", "_$S", "$e", "_T0"].contains(where: name.hasPrefix) {
      return take(ls_demangle_swift(name, name.utf8.count)) ?? name
    }
    // Before C++: a C++ demangler reads the older names of Rust, too, but not to the end.
    if let rust = RustName.demangle(name) { return rust }
    if name.hasPrefix("_Z") { return take(ls_demangle_cxx(name)) ?? name }
    // GCC and Clang name the initialiser of a translation unit after its first variable, or after its file.
    if name.hasPrefix(staticInitializer) {
      return "static init of \(demangle(String(name.dropFirst(staticInitializer.count))))"
    }
    // Other tools demangle Rust's older names as those of C++.
    return RustLegacyName.withoutHash(name)
  }

  /// The variable (such as `app.Catalogue.all`) that this function initialises when the variable is first used. nil for
  /// any other function, and if one function initialises several variables.
  package static func lazyGlobal(_ name: String) -> String? {
    let suffix = "_WZ"
    guard name.hasPrefix("$s"), name.hasSuffix(suffix) else { return nil }
    // For such a function, demanglers give only the variable's own name. For a method they give the full name.
    let method = demangle(name.dropLast(suffix.count) + "yyF")
    guard method.hasSuffix("() -> ()") else { return nil }
    return withoutDiscriminators(String(method.dropLast("() -> ()".count)))
  }

  /// In `(all in _31C00518A8B05C29FFB4AE27441FA88F)`, a demangler marks a name that is private to a file.
  private static func withoutDiscriminators(_ name: String) -> String {
    var text = ""
    var rest = name[...]
    while let start = rest.firstIndex(of: "(") {
      text += rest[..<start]
      let inner = rest[start...].dropFirst()
      guard let end = inner.firstIndex(of: ")"), let word = inner[..<end].firstRange(of: " in _") else {
        text += "("
        rest = inner
        continue
      }
      text += inner[..<word.lowerBound]
      rest = inner[inner.index(after: end)...]
    }
    return text + rest
  }

  /// What Clang and GCC add with a number: ThinLTO, `-funique-internal-linkage-names`, and GCC's LTO.
  private static func withoutNumbers(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: ".")) else { return name }
    var name = name
    for mark in [".llvm.", ".__uniq.", ".lto_priv."] {
      guard let start = name.firstRange(of: mark) else { continue }
      let end = name[start.upperBound...].firstIndex { !$0.isASCII || !$0.isNumber } ?? name.endIndex
      if end > start.upperBound { name.removeSubrange(start.lowerBound..<end) }
    }
    return name
  }

  private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
