// SPDX-License-Identifier: Apache-2.0

/// A mistake in a launch-budgets.yml.
struct BudgetsFileError: Error, Equatable, CustomStringConvertible {
  enum Code: String { case cannotRead, syntax, unknownKey, wrongType, badTime, badName }

  var code: Code
  var path: String
  /// nil if the error is about the whole file.
  var position: YAMLPlace?
  /// A sentence for people that says what was expected.
  var message: String

  var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(path)\(place): \(message)"
  }
}
