/// A named range of an image.
package struct Symbol: Sendable, Equatable {
  /// As it stands in the file.
  package var mangledName: String
  /// Virtual address as the file says it: run-time address − load bias.
  package var address: UInt64
  /// Bytes; 0 if the file does not say.
  package var size: UInt64

  package init(mangledName: String, address: UInt64, size: UInt64) {
    self.mangledName = mangledName
    self.address = address
    self.size = size
  }

  /// The name for people: Swift and C++ names demangled.
  package var name: String { Demangler.demangle(mangledName) }
}
