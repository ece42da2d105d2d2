/// A function that runs at an address, and where in its source.
package struct SourceFrame: Sendable, Equatable {
  /// As the compiler calls it.
  package var mangledName: String
  /// Path as the compiler had it, empty if not known.
  package var file: String
  /// From 1; 0 if not known, or for code that stands in no line.
  package var line: Int

  package init(mangledName: String, file: String = "", line: Int = 0) {
    self.mangledName = mangledName
    self.file = file
    self.line = line
  }

  /// The name for people: Swift and C++ names demangled.
  package var name: String { Demangler.demangle(mangledName) }
}
