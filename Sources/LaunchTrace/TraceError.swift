// SPDX-License-Identifier: Apache-2.0

/// Why a trace could not be read or written.
public struct TraceError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case cannotOpen, cannotRead, cannotWrite, isDirectory, empty, unknownFormat, unsupportedVersion, malformed, tooLarge
  }

  public var code: Code
  /// The errno of the cause; 0 if there is none.
  public var errno: Int32
  public var path: String
  /// Byte offset in the file, if known.
  public var offset: Int?
  /// A sentence for people that says what to do.
  public var message: String

  public init(_ code: Code, path: String, message: String, errno: Int32 = 0, offset: Int? = nil) {
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
