// SPDX-License-Identifier: Apache-2.0

extension BudgetCheck {
  /// The budgets of the metric of a series, held against the launches of its latest commit.
  ///
  /// - Parameters:
  ///   - budgets: of metrics, in the budgets file.
  ///   - rules: of the rest of the file: milestones, phases, intervals. The median of the launches must be within.
  ///   - rows: of the series.
  ///   - tail: the error allowed on each side.
  package static func latest(
    _ budgets: [QuantileBudget], _ rules: BudgetRules, in series: HistorySeries, of rows: [HistoryRow], tail: Double
  ) -> [BudgetCheck] {
    let metric = series.metric
    // Without the phase, interval or library, nothing can be over its budget.
    if series.isLatestUnmeasured, metric.group != .milestone { return [] }
    let launches = rows.filter { $0.commit == series.latest && $0.measurement.leftOut == nil }.map(\.measurement)
      // A launch without a milestone counts: it never reached it (D341).
      .filter { $0.values[metric] != nil || metric.group == .milestone }
    guard let first = launches.first else { return [] }
    let own = budgets.filter { Metric.named($0.metric, among: [metric]) == metric }
      .map { BudgetCheck($0, metric: metric, of: launches, tail: tail) }
    // The milestone that ends the launch is at its total.
    let names: Set<Metric> = metric == .total ? [Metric(.milestone, [first.endMilestone])] : [metric]
    let named = NamedBudgets(rules, of: launches, tail: tail).checks.filter { names.contains($0.metric) }
    return own + named
  }
}
