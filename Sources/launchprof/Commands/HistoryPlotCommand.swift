// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport

struct HistoryPlotCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, svg, html }

  static let configuration = CommandConfiguration(
    commandName: "plot", abstract: "Plot a metric over the commits, as text, an SVG picture, or an HTML page.")

  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var filter: HistoryFilterOptions
  @OptionGroup var metric: HistoryMetricOptions
  @OptionGroup var budgets: GateFileOption

  @OptionGroup var output: HistoryOutputOptions<Format>
  @OptionGroup var text: TextOptionGroup

  func validate() throws {
    if budgets.config != nil, output.chosenFormat != .html {
      throw ValidationError("--config: only the page shows budgets; add --format html, or leave it out.")
    }
  }

  func run() throws {
    try store.check(isNot: output.path)
    let history = try store.open()
    let rows = try filter.series(history)
    let (series, changes) = try metric.series(rows)
    let baselines = try history.baselines()
    try FileOutput.write(to: output.path) { sink, descriptor in
      switch output.chosenFormat {
      case .html:
        try HistoryPage(
          series, changes: changes, baselines: baselines.map { ($0.name, $0.commit) },
          budgets: try checks(of: series, rows)
        ).write(to: sink)
      case .svg: try HistorySVG(series, changes: changes).write(to: sink)
      case .text:
        let options = text.reportOptions(for: output.path == nil ? descriptor : nil)
        try HistoryText(series, changes: changes, options: options).write(to: sink)
      }
    }
  }

  private func checks(of series: HistorySeries, _ rows: [HistoryRow]) throws -> [BudgetCheck] {
    let (_, gate) = try budgets.read()
    return BudgetCheck.latest(gate.budgets, gate.named, in: series, of: rows, tail: gate.options.tail)
  }
}
