// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command line with another word in the place of a verb: a typing error, or a program to launch.
struct MistakenVerb {
  /// What is wrong, and what was probably meant.
  let message: String

  /// - Parameter arguments: without launchprof's own name.
  /// - Returns: nil if all verbs are known, or there is an option that needs none.
  init?(_ arguments: [String]) {
    var (command, path) = (LaunchprofCommand.configuration, "launchprof")
    for (place, word) in arguments.enumerated() {
      // With a default, any word may be meant for it.
      guard command.defaultSubcommand == nil, !command.subcommands.isEmpty, !word.isEmpty, word != "help" else { break }
      if let next = command.subcommands.first(where: { $0.configuration.commandName == word }) {
        (command, path) = (next.configuration, "\(path) \(word)")
        continue
      }
      let verbs = command.subcommands.compactMap { $0.configuration.commandName }
      guard let message = Self.message(word, arguments[(place + 1)...], verbs, path) else { return nil }
      self.message = message
      return
    }
    return nil
  }

  private static func message(
    _ word: String, _ rest: ArraySlice<String>, _ verbs: [String], _ path: String
  ) -> String? {
    let isFirst = path == "launchprof"
    if isFirst, word == "--" || word.contains("/") {
      let program = word == "--" ? rest.first ?? "./app" : word
      return "Say what to do with the program, for example: launchprof record -- \(shown(program))"
    }
    if word.hasPrefix("-") {
      guard !own.contains(word), !word.hasPrefix("---"), let verb = rest.first(where: verbs.contains) else {
        return nil
      }
      return "Write options after the subcommand: \(path) \(verb) \(shown(word)) …"
    }
    let similar = SimilarWord.all(of: word, in: verbs).first.map { "did you mean \($0)?" }
    return isFirst
      ? "There is no subcommand \(shown(word)); "
        + (similar ?? "see launchprof --help, or launch it with launchprof record -- …")
      : "\(path) has no subcommand \(shown(word)); " + (similar ?? "it has: \(verbs.joined(separator: ", "))")
  }

  /// Options of the whole command. Those that begin with three hyphens are called by completions.
  private static let own: Set = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]
}
