// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The scripts with which shells complete command lines.
enum CompletionScript {
  /// The whole command as completions know it.
  private struct Completed: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: LaunchprofCommand.configuration.commandName, version: Version.described,
      groupedSubcommands: Verbs.completed)
  }

  private static let option = "--generate-completion-script"

  /// The script that the arguments ask for; nil if they ask for none, or for that of an unknown shell.
  static func asked(_ arguments: [String]) -> String? {
    let words = arguments.first?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
    let named = words.dropFirst() + arguments.dropFirst()
    guard words.first == option, named.count <= 1 else { return nil }
    let shell = named.isEmpty ? CompletionShell.autodetected() : CompletionShell(rawValue: named.joined())
    return shell.map(Completed.completionScript)
  }
}
