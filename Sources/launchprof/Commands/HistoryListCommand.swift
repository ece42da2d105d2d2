// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the commits of each series, with their number of launches and the median.")

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var output: HistoryOutputOptions<HistoryDataFormat>

  func run() throws {
    try store.check(isNot: output.path)
    let history = try store.open()
    let series = try Self.series(history)
    try output.write {
      Self.text(series)
    } data: { format, sink in
      try HistoryList(series).write(as: format, to: sink)
    }
  }

  private static func series(_ history: HistoryStore) throws -> [HistoryList.Series] {
    let rows = try history.launches()
    let names = try history.baselines()
    let order = CommitOrder(of: rows)
    return rows.grouped(by: \.key).map { key, rows in
      let own = order.sorted(rows)
      let series = HistorySeries(.total, of: own)
      let points = Dictionary(series.points.map { ($0.commit, $0) }) { first, _ in first }
      let byCommit = Dictionary(grouping: own, by: \.commit)
      let commits = order.commits(of: own).map { commit in
        HistoryList.Commit(
          commit, point: points[commit],
          leftOut: LaunchSet.LeftOut.counts((byCommit[commit] ?? []).map(\.measurement.leftOut)),
          baselines: names.filter { $0.commit == commit }.map(\.name))
      }
      return HistoryList.Series(key, title: series.title, commits: commits)
    }
  }

  private static func text(_ series: [HistoryList.Series]) -> OutputText {
    var output = OutputText()
    for series in series {
      output.line(series.title)
      for commit in series.commits {
        let names = commit.baselines.isEmpty ? "" : "  (\(commit.baselines.joined(separator: ", ")))"
        output.line("  \(CommitName.short(commit.commit))  \(launches(commit))\(names)")
      }
      for reason in LaunchSet.LeftOut.allCases {
        let count = series.commits.flatMap(\.leftOut).reduce(0) { $0 + ($1.reason == reason ? $1.count : 0) }
        if count > 0 { output.line("  left out: \(count) \(reason.rawValue)") }
      }
    }
    if series.isEmpty { output.line("no launches yet") }
    return output
  }

  private static func launches(_ commit: HistoryList.Commit) -> String {
    guard let point = commit.point else { return "no launch counts: \(LaunchSet.LeftOut.text(commit.leftOut))" }
    let median = DecimalText.text(Int64((point.median / 10_000).rounded()), decimals: 2)
    return "\(DecimalText.counted(point.launches, "launch")), median \(median) ms"
  }
}
