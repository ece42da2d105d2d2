internal import CLaunchSymbols

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Demangles linker names.
package enum Demangler {
  /// Longer names are not demangled, because demanglers recurse over them.
  private static let longest = 8192
  private static let staticInitializer = "_GLOBAL__sub_I_"

  /// The demangled name, or `name` itself if it is not mangled.
  package static func demangle(_ name: String) -> String {
    guard name.utf8.count <= longest, !name.utf8.contains(0) else { return name }
    if ["$s", "_$s", "$S", "_$S", "$e", "_T0"].contains(where: name.hasPrefix) {
      return take(ls_demangle_swift(name, name.utf8.count)) ?? name
    }
    if name.hasPrefix("_Z") { return take(ls_demangle_cxx(name)) ?? name }
    // GCC and Clang name the initialiser of a translation unit after its first variable, or after its file.
    if name.hasPrefix(staticInitializer) {
      return "static init of \(demangle(String(name.dropFirst(staticInitializer.count))))"
    }
    return name
  }

  private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
