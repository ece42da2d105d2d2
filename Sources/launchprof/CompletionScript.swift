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
    return shell.map { helping(offeringFiles(Completed.completionScript(for: $0), $0), $0) }
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

  /// The verbs that may follow others after `help`. ArgumentParser offers none.
  private static func verbs(
    _ verbs: [any ParsableCommand.Type] = Verbs.groups.flatMap(\.subcommands), after words: String = ""
  ) -> [(words: String, verbs: String)] {
    let shown = verbs.filter { $0.configuration.shouldDisplay }
    guard !shown.isEmpty else { return [] }
    return [(words, shown.map { $0._commandName }.joined(separator: " "))]
      + shown.flatMap { verb in
        Self.verbs(verb.configuration.subcommands, after: words + (words.isEmpty ? "" : " ") + verb._commandName)
      }
  }

  private static func helping(_ script: String, _ shell: CompletionShell) -> String {
    func cases(of words: String, _ offer: (String) -> String) -> String {
      "    case \"\(words)\" in\n" + verbs().map { "    '\($0.words)') \(offer($0.verbs)) ;;\n" }.joined()
        + "    esac\n"
    }
    let head = "\n_launchprof_help() {\n"
    switch shell {
    case .bash:
      return script.replacing(
        head,
        with: head + cases(of: "${COMP_WORDS[*]:2:COMP_CWORD-2}") { "COMPREPLY+=($(compgen -W '\($0)' -- \"${cur}\"))" }
      )
    case .fish:
      return script
        + verbs().map { words, verbs in
          let line = "launchprof help" + (words.isEmpty ? "" : " " + words)
          return
            "\ncomplete -c 'launchprof' -n 'test (string join \" \" -- (__launchprof_tokens -pc)) = \"\(line)\"' -fa '\(verbs)'"
        }.joined()
    default:
      let offering =
        "\n_launchprof_help_verbs() {\n" + cases(of: "${(j: :)words[2,CURRENT-1]}") { "compadd \($0)" } + "}\n"
      return script.replacing(head, with: offering + head)
        .replacing("'*:subcommands:'", with: "'*:subcommands:_launchprof_help_verbs'")
    }
  }
}
