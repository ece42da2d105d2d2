/// Why the symbols of a file cannot be had.
public struct SymbolError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case cannotOpen
    /// Not an ELF file of 64 bits, little-endian.
    case unsupported
    case malformed
    /// A file of the right name, but of another build than the one that was recorded.
    case buildIDMismatch
  }

  public var code: Code
  /// The errno beneath, 0 for none.
  public var errno: Int32
  public var path: String
  /// Byte offset, where it makes sense.
  public var offset: UInt64?
  /// A sentence for people, saying what to do.
  public var message: String

  public init(_ code: Code, path: String, message: String, errno: Int32 = 0, offset: UInt64? = nil) {
    self.code = code
    self.errno = errno
    self.path = path
    self.offset = offset
    self.message = message
  }

  public var description: String {
    let place = offset.map { " (at byte \($0))" } ?? ""
    return "\(path)\(place): \(message)"
  }
}
