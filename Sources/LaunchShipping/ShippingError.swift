// SPDX-License-Identifier: Apache-2.0

/// Why records could not be read, kept or sent.
package struct ShippingError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotRead, cannotWrite, badDestination, refused, unreachable, missingTool
  }

  package var code: Code
  /// The errno of the cause, 0 for none.
  package var errno: Int32
  /// The file, directory or address that is meant.
  package var place: String
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, _ place: String, _ message: String, errno: Int32 = 0) {
    (self.code, self.place, self.message, self.errno) = (code, place, message, errno)
  }

  package var description: String { "\(place): \(message)" }
}
