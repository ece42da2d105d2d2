// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport

/// Where the history of launches is kept.
struct HistoryStoreOption: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "File of the history (default: $LAUNCHPROF_HISTORY, else .launchprof/history.sqlite here).", valueName: "file"),
    completion: .file())
  var path: String?

  private static let standard = ".launchprof/history.sqlite"

  /// The path from the option, from the environment, or the default.
  var place: String { path ?? environment("LAUNCHPROF_HISTORY") ?? Self.standard }

  /// A command of the history for a shell, with the store of this call.
  func command(_ words: [String]) -> String {
    CommandText.line(["launchprof", "history"] + words + (path.map { ["--store", $0] } ?? []))
  }

  func open(makesNew: Bool = false) throws(HistoryError) -> HistoryStore {
    try HistoryStore(path: place, makesNew: makesNew)
  }

  /// - Throws: `ExitCode`, after printing why, if an output would overwrite the history.
  func check(isNot output: String?) throws { try FileOutput.check(output, isNoneOf: [place], kind: "the history") }
}

/// Selects the launches for a command of the history.
struct HistoryFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("File name of the program (default: that of the latest launch that counts).", valueName: "name"))
  var program: String?

  @Option(
    help: ArgumentHelp("Name of the machine (default: that of the latest launch that counts).", valueName: "name"))
  var machine: String?

  @Option(
    help: ArgumentHelp("Name of the configuration (default: that of the latest launch that counts).", valueName: "name")
  )
  var configuration: String?

  /// The launches of one series, in the order of the commits: that of the latest launch that matches and counts.
  ///
  /// - Throws: `HistoryError`; `ExitCode` when there is none.
  func series(_ store: HistoryStore) throws -> [HistoryRow] {
    let filter = HistoryFilter(program: program, machine: machine, configuration: configuration)
    let rows = try store.launches(filter)
    // A series whose launches all failed shows nothing.
    guard let key = (rows.last { $0.measurement.leftOut == nil } ?? rows.last)?.key else {
      throw fail("\(store.path): no launch matches; launchprof history list shows what the history holds", status: 1)
    }
    let others = Set(rows.map(\.key)).count - 1
    if others > 0 {
      tell(
        "Showing \(shown(key.title)). To choose \(others == 1 ? "the other series" : "one of \(others) other series"): "
          + "--program, --machine, --configuration")
    }
    let own = rows.filter { $0.key == key }
    return CommitOrder(of: own).sorted(own)
  }
}

/// The metric, and which changes count.
struct HistoryMetricOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The metric to show: total, cpu, phase/NAME, interval/NAME, …", valueName: "metric"))
  var metric = Metric.total.id

  @Option(help: ArgumentHelp("Smallest change to show, in percent.", valueName: "percent"))
  var least = PercentArgument(part: 0.02)

  /// - Throws: `ExitCode` when no launch has the metric.
  func series(_ rows: [HistoryRow]) throws -> (HistorySeries, [HistorySeries.Change]) {
    let known = Set(rows.flatMap(\.measurement.values.keys))
    guard let metric = Metric.named(metric, among: known) else {
      let isCompared = ExactCount(rawValue: self.metric) != nil
      throw fail(
        "--metric \(shown(self.metric)): "
          + (isCompared
            ? "the gate compares this count, but a history has no series of it" : "no launch has this metric")
          + "; known metrics: \(Metric.list(known))")
    }
    let series = HistorySeries(metric, of: rows)
    tellOfLaunchesThatDoNotCount(rows)
    return (series, series.changes(least: least.part))
  }

  /// A commit without a launch that counts has no point.
  private func tellOfLaunchesThatDoNotCount(_ rows: [HistoryRow]) {
    let reasons = LaunchSet.LeftOut.counts(rows.map(\.measurement.leftOut)).filter { $0.reason != .warmUp }
    guard !reasons.isEmpty else { return }
    let counts = LaunchSet.LeftOut.text(reasons)
    let shown = Set(rows.filter { $0.measurement.leftOut == nil }.map(\.commit))
    let absent = Set(rows.map(\.commit)).subtracting(shown).count
    let those = DecimalText.counted(absent, "commit has", "commits have")
    let commits = absent == 0 ? "" : "; \(those) no launch that counts"
    let advice =
      reasons.contains { $0.reason.isPopulation } ? ". Add such launches with a --configuration of their own" : ""
    tell("Left out: \(counts)\(commits)\(advice)")
  }
}
