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
    let rows = try history.entries()
    let named = Set(try history.baselines().map(\.commit))
    let order = CommitOrder(of: rows.map(\.commit))
    var (old, commits): ([Int64], Set<String>) = ([], [])
    let all = Dictionary(grouping: rows, by: \.key)
    for series in all.values {
      let kept = named.union(order.sorted(series.grouped(by: \.commit).map(\.key)).suffix(keep))
      for row in series where !kept.contains(row.commit) {
        old.append(row.id)
        commits.insert(row.commit)
      }
    }
    let removed = try history.remove(old)
    // Containers that name no machine begin a series each time, and nothing is ever old.
    tell(
      "\(history.path): removed \(removed) of \(DecimalText.counted(rows.count, "launch")), "
        + "of \(DecimalText.counted(commits.count, "commit")); the history has \(all.count) series")
  }
}
