// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
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
      if onlyForward {
        guard try move(to: commit, in: history) else { return }
      } else {
        try history.setBaseline(name, commit: commit)
      }
      tell("\(shown(name)) is commit \(commit)")
    }

    /// Git is asked first: a branch and a baseline often have the same name, and a commit is meant here.
    private func commit(named reference: String, in history: HistoryStore) throws -> String {
      if try history.commits().contains(reference) { return reference }
      let known = try? CommitName.resolved(reference)
      // Without git, a name of the history may still be the beginning of an id.
      let isBaseline = try history.baselines().contains { $0.name == reference }
      let resolved = try known ?? (isBaseline ? CommitName.asked(reference) : reference)
      do throws(HistoryError) { return try history.commit(named: resolved) } catch {
        guard error.code == .notFound else { throw error }
        _ = try CommitName.asked(reference)
        var missing = error
        if try CommitID.meant(by: resolved, among: history.commits()).isEmpty {
          missing.message += "; add its launches first: launchprof history add --commit \(shown(resolved)) traces/"
        }
        throw missing
      }
    }

    /// Moves the name to a commit, unless the one that has it is newer. Asking git takes a while, in which another job may move
    /// the name: then it is asked again.
    ///
    /// - Returns: false, after printing why, if the name stays where it is.
    private func move(to commit: String, in history: HistoryStore) throws(HistoryError) -> Bool {
      while true {
        let present = try history.baselines().first { $0.name == name }?.commit
        if let present, present != commit {
          let all = try history.commits().filter { [present, commit].contains($0) }
          if CommitOrder(of: all).sorted(all).last == present {
            tell("\(shown(name)) stays at commit \(present), which is newer than \(commit)")
            return false
          }
        }
        if try history.moveBaseline(name, from: present, to: commit) { return true }
      }
    }
  }

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Print the commit of a name, or of all baselines.")

    @OptionGroup var store: HistoryStoreOption

    @Argument(
      help: ArgumentHelp(
        "The name of a baseline. If none has it, the commit of the history that git calls so, such as HEAD~1.",
        valueName: "name"))
    var name: String?

    func run() throws {
      let history = try store.open()
      var output = OutputText()
      if let name {
        output.line(try history.commit(byAnyName: name, mayLackLaunches: false))
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
