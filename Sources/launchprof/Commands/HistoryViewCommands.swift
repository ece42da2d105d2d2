// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport
import LaunchSystem

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the commits of each series, with their number of launches and the median.")

  @OptionGroup var store: HistoryStoreOption

  func run() throws {
    let history = try store.open()
    let rows = try history.launches()
    let names = try history.baselines()
    var keys: [HistoryKey] = []
    for row in rows where !keys.contains(row.key) { keys.append(row.key) }
    let order = CommitOrder(of: rows)
    var output = OutputText()
    for key in keys {
      let own = order.sorted(rows.filter { $0.key == key })
      let series = HistorySeries(.total, of: own)
      output.line(series.title)
      for commit in order.commits(of: own) {
        let baselines = names.filter { $0.commit == commit }.map(\.name).joined(separator: ", ")
        let launches =
          series.points.first { $0.commit == commit }.map(Self.text) ?? "no launch counts: \(Self.leftOut(own, commit))"
        output.line("  \(CommitName.short(commit))  \(launches)" + (baselines.isEmpty ? "" : "  (\(baselines))"))
      }
      for (reason, count) in LaunchSet.LeftOut.counts(own.map(\.measurement.leftOut)) {
        output.line("  left out: \(count) \(reason.rawValue)")
      }
    }
    if keys.isEmpty { output.line("no launches yet") }
    try output.write()
  }

  private static func text(_ point: HistorySeries.Point) -> String {
    let median = DecimalText.text(Int64((point.median / 10_000).rounded()), decimals: 2)
    return "\(point.launches) \(point.launches == 1 ? "launch" : "launches"), median \(median) ms"
  }

  /// Why no launch of a commit counts: `8 background, 2 failed`.
  private static func leftOut(_ rows: [HistoryRow], _ commit: String) -> String {
    LaunchSet.LeftOut.text(LaunchSet.LeftOut.counts(rows.filter { $0.commit == commit }.map(\.measurement.leftOut)))
  }
}

private func noFormat(_ output: String?, _ known: String) -> ValidationError {
  ValidationError(
    "--output \(shown(output ?? "")): its extension selects no format (\(known)); choose one with --format.")
}

struct HistoryPlotCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, svg, html }

  static let configuration = CommandConfiguration(
    commandName: "plot", abstract: "Plot a metric over the commits, as text, an SVG picture, or an HTML page.")

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var filter: HistoryFilterOptions
  @OptionGroup var metric: HistoryMetricOptions
  @OptionGroup var budgets: GateFileOption

  @Option(help: "Format (default: the one that the extension of the output names, else text).")
  var format: Format?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("File to write (default: standard output).", valueName: "file")
  )
  var output: String?

  @OptionGroup var text: TextOptionGroup

  /// nil if the extension of the output is not one of a format.
  private var chosenFormat: Format? {
    if let format { return format }
    guard let name = output.flatMap(fileExtension), name != "txt" else { return .text }
    return Format(rawValue: name)
  }

  func validate() throws {
    if chosenFormat == nil { throw noFormat(output, "txt, svg, html") }
    if budgets.config != nil, chosenFormat != .html {
      throw ValidationError("--config: only the page shows budgets; add --format html, or leave it out.")
    }
  }

  func run() throws {
    try store.check(isNot: output)
    let history = try store.open()
    let rows = try filter.series(history)
    let (series, changes) = try metric.series(rows)
    let baselines = try history.baselines()
    try FileOutput.write(to: output) { sink, descriptor in
      switch chosenFormat ?? .text {
      case .html:
        try HistoryPage(
          series, changes: changes, baselines: baselines.map { ($0.name, $0.commit) },
          budgets: try checks(of: series, rows)
        ).write(to: sink)
      case .svg: try HistorySVG(series, changes: changes).write(to: sink)
      case .text:
        let options = text.reportOptions(for: output == nil ? descriptor : nil)
        try HistoryText(series, changes: changes, options: options).write(to: sink)
      }
    }
  }

  private func checks(of series: HistorySeries, _ rows: [HistoryRow]) throws -> [BudgetCheck] {
    let (_, gate) = try budgets.read()
    return BudgetCheck.latest(gate.budgets, gate.named, in: series, of: rows, tail: gate.options.tail)
  }
}

struct HistoryChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Find the commits at which a metric changed.",
    discussion: """
      A change needs three commits on each side, so one outlier is not a change. It is shown if the launches make it \
      150 times as likely as no change. A change of the total may also be found from the CPU time; its line then also \
      has the CPU times. If several commits are possible, all are listed, each with its probability.
      """)

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var filter: HistoryFilterOptions
  @OptionGroup var metric: HistoryMetricOptions

  func run() throws {
    let (series, changes) = try metric.series(try filter.series(try store.open()))
    var output = OutputText()
    for change in changes {
      output.line(HistoryChangeSentence(change, of: series, commits: Self.commits(of: change, in: series)).text)
    }
    if changes.isEmpty {
      let count = series.points.count
      let isShort = count < 2 * StepSearch.leastSegment
      output.line(
        "no change in \(count) \(count == 1 ? "commit" : "commits")"
          + (isShort ? "; a change needs \(StepSearch.leastSegment) commits on each side" : ""))
    }
    if let unmeasured = UnmeasuredCommits.plainSentence(series) { output.line(unmeasured) }
    try output.write()
  }

  /// How many commits of the branch lie between the launched ones around a change, with the later one; nil if git does not know.
  private static func commits(of change: HistorySeries.Change, in series: HistorySeries) -> Int? {
    guard change.isCertain, change.place > 0 else { return nil }
    let (before, commit) = (series.points[change.place - 1].commit, series.points[change.place].commit)
    guard CommitID.isWhole(before), CommitID.isWhole(commit) else { return nil }
    return (try? CommitAncestry.distance(from: before, to: commit)) ?? nil
  }
}

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print everything that the history holds, as CSV or JSON.")

  @OptionGroup var store: HistoryStoreOption

  @Option(help: "Format (default: the one that the extension of the output names, else csv).")
  var format: HistoryTable.Format?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("File to write (default: standard output).", valueName: "file")
  )
  var output: String?

  /// nil if the extension of the output is not one of a format.
  private var chosenFormat: HistoryTable.Format? {
    if let format { return format }
    return output.flatMap(fileExtension).map { HistoryTable.Format(rawValue: $0) } ?? .csv
  }

  func validate() throws {
    if chosenFormat == nil { throw noFormat(output, "csv, json") }
  }

  func run() throws {
    try store.check(isNot: output)
    let history = try store.open()
    let rows = try history.launches()
    let format = chosenFormat ?? .csv
    try FileOutput.write(to: output) { sink, _ in try HistoryTable(rows).write(as: format, to: sink) }
  }
}

extension HistoryTable.Format: ExpressibleByArgument {}
