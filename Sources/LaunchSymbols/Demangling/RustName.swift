// SPDX-License-Identifier: Apache-2.0

/// A linker name that Rust's compiler made, for people: without hashes, so that it is the same in each build.
enum RustName {
  /// nil if this is not a name of Rust.
  static func demangle(_ name: String) -> String? {
    if name.hasPrefix("_R") {
      var demangler = RustDemangler(name)
      return demangler.demangle()
    }
    return RustLegacyName.demangle(name)
  }

  /// What follows a name, such as ` (.cold)`. Nothing if LLVM added it to keep functions of one name apart (`.llvm.1234`,
  /// `.12`), because it is another one in each build.
  static func suffix(_ text: Substring) -> String {
    let isNumber = text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber || text.hasPrefix(".llvm.") ? "" : " (\(text))"
  }
}
