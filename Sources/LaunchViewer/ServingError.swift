// SPDX-License-Identifier: Apache-2.0

/// Why a file could not be served.
package struct ServingError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable { case portTaken, cannotListen, cannotRead }

  package var code: Code
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
