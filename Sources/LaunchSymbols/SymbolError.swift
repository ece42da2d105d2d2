/// Why the symbols of a file cannot be had.
package struct SymbolError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotOpen
    /// Not an ELF file of 64 bits, little-endian.
    case unsupported
    case malformed
    /// A file of the right name, but of another build than the one that was recorded.
    case buildIDMismatch
  }

  package var code: Code
  /// The errno of the cause; 0 if there is none.
  package var errno: Int32
  package var path: String
  /// Byte offset, where it makes sense.
  package var offset: UInt64?
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, path: String, message: String, errno: Int32 = 0, offset: UInt64? = nil) {
    self.code = code
    self.errno = errno
    self.path = path
    self.offset = offset
    self.message = message
  }

  package var description: String {
    let place = offset.map { " (at byte \($0))" } ?? ""
    return "\(path)\(place): \(message)"
  }
}
