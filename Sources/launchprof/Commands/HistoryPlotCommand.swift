// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport
import LaunchSystem

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
    if chosenFormat == nil { throw HistoryDataOptions.noFormat(output, "txt, svg, html") }
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
