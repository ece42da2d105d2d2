/// A named range of an image.
public struct Symbol: Sendable, Equatable {
  /// As it stands in the file.
  public var mangledName: String
  /// Virtual address as the file says it: run-time address − load bias.
  public var address: UInt64
  /// Bytes; 0 if the file does not say.
  public var size: UInt64

  public init(mangledName: String, address: UInt64, size: UInt64) {
    self.mangledName = mangledName
    self.address = address
    self.size = size
  }

  /// The name for people: Swift and C++ names demangled.
  public var name: String { Demangler.demangle(mangledName) }
}
