// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchReport
import LaunchSystem

struct HistoryChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Find the commits at which a metric changed.",
    discussion: """
      A change needs three commits on each side, so one outlier is not a change. It is shown if the launches make it \
      150 times as likely as no change. A change of the total may also be found from the CPU time; its line then also \
      has the CPU times. If several commits are possible, all are listed, each with its probability.

      Exit status 0, also if there are changes. With --exit-code, 2: the metric, or the CPU time that shows a change, \
      grew at one of the changes shown, \
      4: too few commits for a change. 64: wrong options. 1: any other failure.
      """)

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var filter: HistoryFilterOptions
  @OptionGroup var metric: HistoryMetricOptions

  @Option(help: ArgumentHelp("Show only changes that the launches up to this commit do not show.", valueName: "commit"))
  var since: String?

  @Flag(help: "End with status 2 if the metric grew, and with 4 if there are too few commits for a change.")
  var exitCode = false

  @OptionGroup var output: HistoryOutputOptions<HistoryDataFormat>

  func run() throws {
    try store.check(isNot: output.path)
    let rows = try filter.series(try store.open())
    let (series, all) = try metric.series(rows)
    let changes = try recent(all, of: series, rows)
    try output.write {
      text(changes, of: series)
    } data: { format, sink in
      let found = changes.map { change in
        (change: change, unlaunched: Self.commits(of: change, in: series).flatMap { $0 > 1 ? $0 - 1 : nil })
      }
      guard let key = rows.first?.key else { return }
      try HistoryChangeTable(series, of: key, changes: found).write(as: format, to: sink)
    }
    guard exitCode else { return }
    if changes.contains(where: { $0.relative > 0 }) { throw ExitCode(2) }
    if Self.isShort(series) { throw ExitCode(4) }
  }

  /// Commits.
  private static let mostWithHint = 20

  private static func isShort(_ series: HistorySeries) -> Bool { series.points.count < 2 * StepSearch.leastSegment }

  /// The changes that the launches up to the commit `since` do not show. A commit whose launches do not count has its place, too.
  private func recent(
    _ changes: [HistorySeries.Change], of series: HistorySeries, _ rows: [HistoryRow]
  ) throws -> [HistorySeries.Change] {
    guard let since else { return changes }
    let commits = rows.grouped(by: \.commit).map(\.key)
    let found = CommitName.meant(by: since, among: commits)
    guard found.count == 1, let place = commits.firstIndex(of: found[0]) else {
      throw fail(
        found.isEmpty
          ? "--since \(shown(since)): the series has no launch of this commit"
          : "--since \(shown(since)): the series has \(found.count) such commits; give more digits")
    }
    let known = Set(commits[...place])
    let earlier = HistorySeries(series.metric, of: rows.filter { known.contains($0.commit) })
    return HistorySeries.Change.new(changes, since: earlier, least: metric.least.part)
  }

  private func text(_ changes: [HistorySeries.Change], of series: HistorySeries) -> OutputText {
    var output = OutputText()
    for change in changes {
      output.line(HistoryChangeSentence(change, of: series, commits: Self.commits(of: change, in: series)).text)
    }
    if changes.isEmpty {
      let commits = DecimalText.counted(series.points.count, "commit")
      // In a short history, readers see changes at its ends.
      let isToldWhere = series.points.count < Self.mostWithHint
      output.line(
        (since.map { "no new change since \(shown($0)) (\(commits))" } ?? "no change in \(commits)")
          + (isToldWhere ? "; a change needs \(StepSearch.leastSegment) commits on each side" : ""))
    }
    if let unmeasured = UnmeasuredCommits.plainSentence(series) { output.line(unmeasured) }
    return output
  }

  /// How many commits of the branch lie between the launched ones around a change, with the later one; nil if git does not know.
  private static func commits(of change: HistorySeries.Change, in series: HistorySeries) -> Int? {
    guard change.isCertain, change.place > 0 else { return nil }
    let (before, commit) = (series.points[change.place - 1].commit, series.points[change.place].commit)
    guard CommitID.isWhole(before), CommitID.isWhole(commit) else { return nil }
    return try? CommitAncestry.distance(from: before, to: commit)
  }
}
