// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchFleet
import LaunchReport

struct FleetChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Find the days or versions at which launch times changed, like for like.",
    discussion: """
      A change needs three points on each side, so one outlier is not a change. It is shown if the launches make it 400 \
      times as likely as no change. If several points are possible, all are listed, each with its probability.

      A launch counts if at least 30 launches have its values in all columns of --mix. A point needs 20 such launches. With --unit, it needs 10 machines instead.
      """)

  @OptionGroup var files: FleetFileOptions

  @Option(help: "What a point is.")
  var by: FleetChanges.Series = .day

  @Option(help: ArgumentHelp("The metric to look at: total, phase/NAME, milestone/NAME, …", valueName: "metric"))
  var metric = "total"

  @Option(
    help: ArgumentHelp(
      "Columns to hold equal (default: program, end, machine, kind, reason, context, os).", valueName: "columns"))
  var mix: String?

  @OptionGroup var unit: FleetUnitOption

  @Option(help: ArgumentHelp("Smallest change to show, in percent.", valueName: "percent"))
  var least = PercentArgument(part: 0.02)

  @OptionGroup var output: FleetOutputOptions

  func run() throws {
    var question = FleetQuestion()
    let columns = try FleetFileOptions.columns(mix, "--mix")
    question.unit = try unit.checked(files, mix: columns)
    question.labels = .named(
      Set((columns ?? ["machine", "kind", "reason", "context", "os"]) + ["program", "end", by.rawValue]))
    let metric = FleetQuestion.metric(named: metric)
    question.metrics = [metric]
    question.keepsTimes = by == .build
    let table = try files.read(question)
    if table.count == 0 { try files.check(try files.filter(), "--where: ") }
    if let columns, !Set(columns).isSubset(of: table.labelNames) { try files.check(columns, "--mix: ") }
    let changes = try FleetChanges(
      table, by: by, metric: metric, mix: columns, unit: question.unit, least: least.part, tail: files.tail)
    try output.write(FleetDocument(changes), from: files)
  }
}

extension FleetChanges.Series: ExpressibleByArgument {}
