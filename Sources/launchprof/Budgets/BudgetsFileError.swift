/// What is wrong with a launch-budgets.yml.
struct BudgetsFileError: Error, Equatable, CustomStringConvertible {
  enum Code: String { case cannotRead, syntax, unknownKey, wrongType, badTime, badName }

  var code: Code
  var path: String
  /// From 1; nil when the file as a whole is meant.
  var position: (line: Int, column: Int)?
  /// A sentence for people, saying what was expected.
  var message: String

  var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(path)\(place): \(message)"
  }

  static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.description == right.description
  }
}
