// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each phase of a set of launches, or of each group of them, and one for the whole launch.
enum CSVStatistics {
  static let columns =
    "group,phase,path,launches,median_ns,mad_ns,min_ns,p10_ns,p90_ns,p95_ns,p99_ns,max_ns,budget_ns,over_budget,flags"

  static func rows(_ launches: LaunchSet, _ options: ReportOptions) -> [[String]] {
    guard let label = options.by else { return rows(launches, group: "", options) }
    return launches.groups(by: label).flatMap { rows($0.launches, group: $0.label ?? "", options) }
  }

  private static func rows(_ launches: LaunchSet, group: String, _ options: ReportOptions) -> [[String]] {
    // Profiles without times have no statistics of them.
    guard launches.countedUnit == nil else { return [] }
    let phases = launches.phases(mainThreadOnly: options.mainThreadOnly).map { phase in
      row(
        group, phase.path, phase.durations, budget: phase.budget, over: phase.overBudget,
        flags: phase.isParallel ? "parallel" : "")
    }
    guard let total = launches.total else { return phases }
    let budget = launches.medianLaunch?.timeline.budget
    return phases + [row(group, ["total"], total, budget: budget, over: launches.overBudget, flags: "")]
  }

  private static func row(
    _ group: String, _ path: [String], _ values: Distribution, budget: Int64?, over: Int, flags: String
  ) -> [String] {
    let names = [CSVField.text(group), CSVField.text(path.last ?? ""), CSVField.path(path)]
    let numbers: [Int64?] =
      [Int64(values.count), values.median, values.medianAbsoluteDeviation, values.minimum]
      + [0.1, 0.9, 0.95, 0.99].map { values.quantile($0) } + [values.maximum, budget, Int64(over)]
    return names + numbers.map(CSVField.number) + [flags]
  }
}
