// SPDX-License-Identifier: Apache-2.0

/// Why many records could not be read, or a question about them not be answered.
package struct FleetError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotRead, noRecords, badFilter, unknownColumn, unknownMetric, badServer, refused
  }

  package var code: Code
  /// The file, or the server; empty for none.
  package var path: String
  /// The errno of the cause, 0 for none.
  package var errno: Int32
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, path: String = "", errno: Int32 = 0, message: String) {
    (self.code, self.path, self.errno, self.message) = (code, path, errno, message)
  }

  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
