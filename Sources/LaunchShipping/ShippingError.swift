// SPDX-License-Identifier: Apache-2.0

/// Why records could not be read, kept or sent.
package struct ShippingError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotRead, cannotWrite, badDestination, refused, missingTool
  }

  package var code: Code
  /// The file, directory or address that is meant.
  package var place: String
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, _ place: String, _ message: String) {
    (self.code, self.place, self.message) = (code, place, message)
  }

  package var description: String { "\(place): \(message)" }
}
