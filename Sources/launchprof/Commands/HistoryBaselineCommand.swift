// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchHistory

struct HistoryBaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Name the launches of a commit, for gate --baseline NAME.",
    subcommands: [Set.self, Get.self])

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give the launches of a commit a name.")

    @Option(
      help: ArgumentHelp("The commit (default: the one that CI names, else the one checked out).", valueName: "id"))
    var commit: String?

    @OptionGroup var store: HistoryStoreOption

    @Argument(help: ArgumentHelp("The name, such as main.", valueName: "name"))
    var name: String

    func run() throws {
      guard let reference = commit ?? CommitName.current() else {
        throw fail("no commit is checked out here; name one with --commit", status: CommandStatus.usage)
      }
      let history = try store.open()
      // The history knows its own names best.
      let commit: String
      do throws(HistoryError) { commit = try history.commit(named: reference) } catch {
        guard error.code == .notFound else { throw error }
        let resolved = try CommitName.asked(reference)
        guard resolved != reference else { throw error }
        commit = try history.commit(named: resolved)
      }
      try history.setBaseline(name, commit: commit)
      tell("\(shown(name)) is commit \(commit)")
    }
  }

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the commit of a name, or of all names.")

    @OptionGroup var store: HistoryStoreOption

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String?

    func run() throws {
      let history = try store.open()
      var output = OutputText()
      if let name {
        output.line(try history.commit(named: name))
      } else {
        for baseline in try history.baselines() { output.line("\(baseline.name)  \(baseline.commit)") }
      }
      try output.write()
    }
  }
}
