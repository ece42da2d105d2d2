// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory

struct HistoryRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the launches of one commit, which were added by mistake.",
    discussion: """
      Of all series of the history, unless you name some. A baseline keeps the launches of its commit: give it to another commit first
      (history baseline set), or remove its name (history baseline remove).
      """)

  @Option(help: ArgumentHelp("Commit whose launches are removed, such as HEAD~1.", valueName: "id"))
  var commit: String

  @Option(help: ArgumentHelp("Only the series of the program with this file name.", valueName: "name"))
  var program: String?

  @Option(help: ArgumentHelp("Only the series of this machine.", valueName: "name"))
  var machine: String?

  @Option(help: ArgumentHelp("Only the series of this configuration.", valueName: "name"))
  var configuration: String?

  @OptionGroup var store: HistoryStoreOption

  func validate() throws {
    if commit.isEmpty { throw ValidationError("--commit: expected the id of a commit.") }
  }

  func run() throws {
    let history = try store.open()
    let commit = try commit(in: history)
    let rows = try history.entries(
      HistoryFilter(program: program, machine: machine, configuration: configuration, commit: commit))
    guard !rows.isEmpty else {
      throw fail("\(history.path): no such launches of commit \(shown(commit)); launchprof history list has all")
    }
    let names = try history.baselines().filter { $0.commit == commit }.map(\.name)
    guard names.isEmpty else {
      let all = names.map { shown($0) }.joined(separator: ", ")
      throw fail(
        "commit \(shown(commit)) is the baseline \(all), so its launches stay; before that: \(removal(of: names))")
    }
    let removed = try history.remove(rows.map(\.id))
    let series = Set(rows.map(\.key.title)).sorted().map { shown($0) }.joined(separator: ", ")
    let launches = DecimalText.counted(removed, "launch")
    tell("\(history.path): removed \(launches) of commit \(shown(commit)), of the series \(series)")
  }

  /// The commands that remove these baselines, for a shell.
  private func removal(of names: [String]) -> String {
    names.map { store.command(["baseline", "remove", $0]) }.joined(separator: " && ")
  }

  /// Git may not know a commit any more whose launches are there.
  private func commit(in history: HistoryStore) throws -> String {
    let found = CommitName.meant(by: commit, among: try history.commits())
    guard found.count <= 1 else {
      throw fail("--commit: \(shown(commit)) is the beginning of \(found.count) commits; give more digits")
    }
    return try found.first ?? CommitName.asked(commit)
  }
}
