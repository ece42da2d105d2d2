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
      let meant =
        SimilarWord.all(of: first, in: verbs).first.map { "did you mean \($0)?" }
        ?? "see launchprof --help, or launch it with launchprof record -- …"
      message = "There is no subcommand \(shown(first)); \(meant)"
    }
  }

  /// Options of the whole command. Those that begin with three hyphens are called by completions.
  private static let own: Set = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]
}
