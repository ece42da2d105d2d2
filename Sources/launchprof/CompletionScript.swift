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
    return shell.map { offeringFiles(Completed.completionScript(for: $0), $0) }
  }

  /// ArgumentParser completes the verbs below a verb, or its arguments. `gate` has both: the arguments of `gate check`.
  private static func offeringFiles(_ script: String, _ shell: CompletionShell) -> String {
    switch shell {
    case .bash: return script.replacing("complete -o filenames", with: "complete -o default -o filenames")
    case .fish:
      let condition = "__launchprof_should_offer_completions_for_positional \"launchprof gate\" -ge 1"
      return script + "\ncomplete -c 'launchprof' -n '\(condition)' -F"
    default:
      guard let gate = script.firstRange(of: "\n_launchprof_gate() {") else { return script }
      let verbs = "_describe -V subcommand subcommands && ret=0"
      let others = "\"_launchprof_gate_${words[1]}\" && ret=0\n            ;;"
      // With a subrange, `replacing` replaces before it.
      let rest = script[gate.lowerBound...].replacing(
        verbs, with: verbs + "\n        _files && ret=0", maxReplacements: 1)
      return script[..<gate.lowerBound]
        + String(rest).replacing(others, with: others + "\n        *) _files && ret=0 ;;", maxReplacements: 1)
    }
  }
}
