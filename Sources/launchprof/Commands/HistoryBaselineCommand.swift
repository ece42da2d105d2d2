// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchHistory

struct HistoryBaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Name the launches of a commit, for gate --baseline NAME.",
    subcommands: [Set.self, Get.self, Remove.self])

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Give the launches of a commit a name.")

    @Option(
      help: ArgumentHelp("The commit (default: the one that CI names, else the one checked out).", valueName: "id"))
    var commit: String?

    @Flag(help: "Leave the name where it is if that commit is newer, as git says, or else the order of adding.")
    var onlyForward = false

    @OptionGroup var store: HistoryStoreOption

    @Argument(help: ArgumentHelp("The name, such as main.", valueName: "name"))
    var name: String

    func validate() throws {
      // An empty variable of a CI job.
      if name.isEmpty { throw ValidationError("the name of the baseline is empty.") }
      if commit?.isEmpty == true { throw ValidationError("--commit: expected the id of a commit.") }
    }

    func run() throws {
      guard let reference = commit ?? CommitName.current() else {
        throw fail("no commit is checked out here; name one with --commit", status: CommandStatus.usage)
      }
      let history = try store.open()
      let commit = try commit(named: reference, in: history)
      if onlyForward, let newer = try newer(than: commit, in: history) {
        tell("\(shown(name)) stays at commit \(newer), which is newer than \(commit)")
        return
      }
      try history.setBaseline(name, commit: commit)
      tell("\(shown(name)) is commit \(commit)")
    }

    /// The history knows its own names best, and git the others.
    private func commit(named reference: String, in history: HistoryStore) throws -> String {
      do throws(HistoryError) { return try history.commit(named: reference) } catch {
        guard error.code == .notFound else { throw error }
        let resolved = try CommitName.asked(reference)
        do throws(HistoryError) { return try history.commit(named: resolved) } catch {
          var missing = error
          if error.code == .notFound, try !history.commits().contains(where: { $0.hasPrefix(resolved) }) {
            missing.message += "; add its launches first: launchprof history add --commit \(shown(resolved)) traces/"
          }
          throw missing
        }
      }
    }

    /// The commit that has the name, if it is newer than this one.
    private func newer(than commit: String, in history: HistoryStore) throws(HistoryError) -> String? {
      guard let present = try history.baselines().first(where: { $0.name == name })?.commit, present != commit else {
        return nil
      }
      let all = try history.commits().filter { [present, commit].contains($0) }
      return CommitOrder(of: all).sorted(all).last == present ? present : nil
    }
  }

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Print the commit of a name, or of all names.")

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

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a name. The launches of its commit stay.")

    @OptionGroup var store: HistoryStoreOption

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    func run() throws {
      let commit = try store.open().removeBaseline(name)
      tell("\(shown(name)) is no longer commit \(commit)")
    }
  }
}
