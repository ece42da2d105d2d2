// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each phase of a set of launches, or of each group of them, and one for the whole launch.
struct CSVStatistics {
  static let header =
    "group,phase,path,launches,median_ns,mad_ns,min_ns,p10_ns,p90_ns,p95_ns,p99_ns,max_ns,budget_ns,over_budget,flags"
    + CSVField.lineEnd

  private let launches: LaunchSet
  private let group: String

  private let mainThreadOnly: Bool

  init(_ launches: LaunchSet, group: String = "", mainThreadOnly: Bool) {
    (self.launches, self.group, self.mainThreadOnly) = (launches, group, mainThreadOnly)
  }

  func write(to output: inout OutputBuffer) {
    // Profiles without times have no statistics of them.
    guard launches.countedUnit == nil else { return }
    for phase in launches.phases(mainThreadOnly: mainThreadOnly) {
      write(
        phase.path, phase.durations, budget: phase.budget, over: phase.overBudget,
        flags: phase.isParallel ? "parallel" : "", to: &output)
    }
    guard let total = launches.total else { return }
    let budget = launches.medianLaunch?.timeline.budget
    write(["total"], total, budget: budget, over: launches.overBudget, to: &output)
  }

  private func write(
    _ path: [String], _ values: Distribution, budget: Int64?, over: Int, flags: String = "",
    to output: inout OutputBuffer
  ) {
    let names = [CSVField.text(group), CSVField.text(path.last ?? ""), CSVField.path(path)]
    let numbers: [Int64?] =
      [Int64(values.count), values.median, values.medianAbsoluteDeviation, values.minimum]
      + [0.1, 0.9, 0.95, 0.99].map { values.quantile($0) } + [values.maximum, budget, Int64(over)]
    output.append(CSVField.row(names + numbers.map(CSVField.number) + [flags]))
  }
}
