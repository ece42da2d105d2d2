// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchFleet
import LaunchReport

struct FleetReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Print percentiles of the launches, in total and by phase.")

  @OptionGroup var files: FleetFileOptions

  @Option(
    help: ArgumentHelp(
      "Columns to group by: version, kind, machine, os, day, meta.channel, … (default: none).", valueName: "columns"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      "Also show this metric: milestone/NAME, state/NAME, over/NAME, count/NAME, cpu, recorder.",
      valueName: "metric"))
  var metric: [String] = []

  @OptionGroup var output: FleetOutputOptions

  func run() throws {
    let columns = try FleetFileOptions.columns(by, "--by") ?? []
    var question = FleetQuestion()
    question.labels = .named(Set(columns + ["program", "end", "context"]))
    let metrics = metric.map(FleetQuestion.metric(named:))
    question.metrics = Set(metrics)
    let table = try files.read(question)
    if table.count == 0 { try files.check(try files.filter(), "--where: ") }
    if !Set(columns).isSubset(of: table.labelNames) { try files.check(columns, "--by: ") }
    let report = try FleetReport(
      table, by: columns, filter: FleetFilter(files.filters), metrics: metrics, tail: files.tail)
    try output.write(FleetDocument(report), from: files)
  }
}
