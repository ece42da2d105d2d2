// SPDX-License-Identifier: Apache-2.0

/// Why the symbols of a file are not available.
package struct SymbolError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotOpen
    /// The file is not a 64-bit little-endian ELF file.
    case unsupported
    case malformed
    /// The file has the right name, but is from another build than the recorded one.
    case buildIDMismatch
  }

  package var code: Code
  /// The errno of the cause; 0 if there is none.
  package var errno: Int32
  package var path: String
  /// Byte offset in the file, if known.
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
