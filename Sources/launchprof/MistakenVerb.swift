// SPDX-License-Identifier: Apache-2.0

/// A command line whose first word is not a verb: a typing error, or a program to launch.
struct MistakenVerb {
  /// What is wrong, and what was probably meant.
  let message: String

  /// - Parameter arguments: without launchprof's own name.
  /// - Returns: nil if the first word is a verb or an option that needs none.
  init?(_ arguments: [String], verbs: [String] = Verbs.names) {
    guard let first = arguments.first, !first.isEmpty, first != "help", !verbs.contains(first) else { return nil }
    if first == "--" || first.contains("/") {
      let program = first == "--" ? arguments.dropFirst().first ?? "./app" : first
      message = "Say what to do with the program, for example: launchprof record -- \(shown(program))"
    } else if first.hasPrefix("-") {
      guard !Self.own.contains(first), !first.hasPrefix("---"), let verb = arguments.first(where: verbs.contains) else {
        return nil
      }
      message = "Write options after the subcommand: launchprof \(verb) \(shown(first)) …"
    } else {
      let near = verbs.map { ($0, Self.distance(first, $0)) }.min { $0.1 < $1.1 }
      let hint = near.flatMap { $0.1 <= max(1, first.count / 3) || $0.0.hasPrefix(first) ? $0.0 : nil }
      let meant =
        hint.map { "did you mean \($0)?" } ?? "see launchprof --help, or launch it with launchprof record -- …"
      message = "There is no subcommand \(shown(first)); \(meant)"
    }
  }

  /// Options of the whole command. Those that begin with three hyphens are called by completions.
  private static let own: Set = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]

  /// How many characters must be added, removed or replaced to make one word of the other.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (character == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
