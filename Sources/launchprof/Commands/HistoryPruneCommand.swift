// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory

struct HistoryPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove the launches of old commits. Of each series, the latest commits stay, and those of baselines.")

  @Option(help: ArgumentHelp("How many commits of each series stay.", valueName: "n"))
  var keep: Int

  @OptionGroup var store: HistoryStoreOption

  func validate() throws {
    if keep < 1 { throw ValidationError("--keep \(keep): expected 1 or more.") }
  }

  func run() throws {
    let history = try store.open()
    let rows = try history.launches()
    let named = Set(try history.baselines().map(\.commit))
    let order = CommitOrder(of: rows)
    var (old, commits): ([Int64], Set<String>) = ([], [])
    for series in Dictionary(grouping: rows, by: \.key).values {
      let kept = named.union(order.commits(of: series).suffix(keep))
      for row in series where !kept.contains(row.commit) {
        old.append(row.id)
        commits.insert(row.commit)
      }
    }
    let removed = try history.remove(old)
    tell("\(history.path): removed \(removed) of \(rows.count) launches, of \(commits.count) commits")
  }
}
