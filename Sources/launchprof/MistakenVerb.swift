// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command line with another word in the place of a verb: a typing error, or a program to launch.
struct MistakenVerb {
  /// What is wrong, and what was probably meant.
  let message: String
  /// In the place of a verb of `history`, `fleet` or another group.
  let isInGroup: Bool

  /// - Parameter arguments: without launchprof's own name.
  /// - Returns: nil if all verbs are known, or there is an option that needs none.
  init?(_ arguments: [String]) {
    var (command, path) = (LaunchprofCommand.configuration, "launchprof")
    for (place, word) in arguments.enumerated() where place > 0 || word != "help" {
      // With a default, any word may be meant for it.
      guard command.defaultSubcommand == nil, !command.subcommands.isEmpty, !word.isEmpty, word != "help" else { break }
      if let next = command.subcommands.first(where: { $0.configuration.commandName == word }) {
        (command, path) = (next.configuration, "\(path) \(word)")
        continue
      }
      guard let message = Self.message(word, arguments[(place + 1)...], command, path) else { return nil }
      (self.message, isInGroup) = (message, place > 0)
      return
    }
    return nil
  }

  private static func message(
    _ word: String, _ rest: ArraySlice<String>, _ command: CommandConfiguration, _ path: String
  ) -> String? {
    let verbs = command.subcommands.compactMap { $0.configuration.commandName }
    let isFirst = path == "launchprof"
    if isFirst, word == "--" || word.contains("/") {
      let program = word == "--" ? rest.first ?? "./app" : word
      return "Say what to do with the program, for example: launchprof record -- \(shown(program))"
    }
    if word.hasPrefix("-") {
      let given = Self.verbs(of: command, in: rest).joined(separator: " ")
      guard !own.contains(word), !word.hasPrefix("---"), !given.isEmpty else { return nil }
      return "Write options after the subcommand: \(path) \(given) \(shown(word)) …"
    }
    let similar = SimilarWord.all(of: word, in: verbs).first.map { "did you mean \($0)?" }
    return isFirst
      ? "There is no subcommand \(shown(word)); "
        + (similar ?? "see launchprof --help, or launch it with launchprof record -- …")
      : "\(path.dropFirst("launchprof ".count)) has no subcommand \(shown(word)); "
        + (similar ?? "it has: \(verbs.joined(separator: ", ")). See \(path) --help")
  }

  /// The verb among the words, and the verbs of its group that follow.
  private static func verbs(of command: CommandConfiguration, in words: ArraySlice<String>) -> [String] {
    var (command, found) = (command, [String]())
    for word in words {
      guard let next = command.subcommands.first(where: { $0.configuration.commandName == word }) else { continue }
      found.append(word)
      command = next.configuration
    }
    return found
  }

  /// Options of the whole command. Those that begin with three hyphens are called by completions.
  private static let own: Set = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]
}
