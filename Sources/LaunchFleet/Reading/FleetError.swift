// SPDX-License-Identifier: Apache-2.0

/// Why many records could not be read, or a question about them not be answered.
package struct FleetError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotRead, noRecords, badFilter, unknownColumn, unknownMetric, badServer, refused
  }

  package var code: Code
  /// The file, or the server; empty for none.
  package var path: String
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, path: String = "", message: String) {
    (self.code, self.path, self.message) = (code, path, message)
  }

  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
