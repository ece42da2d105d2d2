// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// Launches of a fleet against budgets, and against other launches.
package struct FleetGate: Sendable {
  package struct Check: Sendable {
    package var budget: QuantileBudget
    package var quantile: FleetQuantile
    /// Records that have the metric.
    package var launches: Int
    package var verdict: BudgetCheck.Verdict
  }

  /// A share of the launches that must be reached, or not be exceeded.
  package struct ShareCheck: Sendable {
    package enum Kind: String, Sendable { case within, failed }

    package var kind: Kind
    package var limit: Double
    package var share: Proportion
    package var verdict: BudgetCheck.Verdict
  }

  package private(set) var checks: [Check] = []
  package private(set) var shares: [ShareCheck] = []
  /// The launches that failed, without a limit for them; nil if no launch says whether it failed.
  package private(set) var unlimitedFailures: Proportion?
  /// Budgets of metrics that no launch has.
  package private(set) var unknown: [QuantileBudget] = []
  /// Shares that were asked for, and that no launch says anything about.
  package private(set) var unknownShares: [ShareCheck.Kind] = []
  /// Budgets of counts and bytes: a fleet is checked for times only.
  package private(set) var leftOut: [QuantileBudget] = []
  package var comparison: FleetComparison?
  package let head: FleetFilter
  package let launches: Int
  package let census: FleetCensus
  /// The contexts of the launches, if those without a person count with others.
  package let mixedContexts: [String]

  /// - Parameters:
  ///   - head: which launches of the table are judged.
  ///   - budgets: those of counts, and of metrics that the records do not have, are listed, and not checked.
  ///   - within: the least share of launches within their own budgets; nil for any.
  ///   - failed: the greatest share of failed launches; nil for any.
  package init(
    _ table: FleetTable, head: FleetFilter, budgets: [QuantileBudget], within: Double? = nil, failed: Double? = nil,
    tail: Double
  ) {
    let rows = head.rows(of: table)
    (self.head, census, launches) = (
      head, table.census, rows.indices.reduce(0) { rows[$1] ? $0 + table.records($1) : $0 }
    )
    mixedContexts = table.mixedContexts(where: rows)
    let (groups, weights) = (RowGroups(table, where: rows).completed(in: table), table.sampleWeights)
    for budget in budgets {
      guard Self.checks(budget) else {
        leftOut.append(budget)
        continue
      }
      let sample = table.metric(named: budget.metric).map { column in
        GroupedSamples(column, SortedRows(column.values), groups, weights: weights)[0]
      }
      guard let sample, sample.count > 0 else {
        unknown.append(budget)
        continue
      }
      let quantile = sample.interval(budget.fraction, tail: tail)
      checks.append(
        Check(
          budget: budget, quantile: quantile, launches: sample.count,
          verdict: Self.verdict(quantile.lower, quantile.upper, most: budget.limit)))
    }
    let failures = Self.share(table, rows, tail, { $0.hasFailed($1) == true }, among: { $0.hasFailed($1) != nil })
    if let failed {
      add(.failed, limit: failed, failures) { Self.verdict($0.lower, $0.upper, most: failed) }
    } else {
      unlimitedFailures = failures
    }
    if let within {
      let share = Self.share(table, rows, tail, { $0.withinBudget[$1] == 1 }, among: { $0.withinBudget[$1] != 0 })
      add(.within, limit: within, share) { Self.verdict(1 - $0.upper, 1 - $0.lower, most: 1 - within) }
    }
  }

  private mutating func add(
    _ kind: ShareCheck.Kind, limit: Double, _ share: Proportion?, _ verdict: (Proportion) -> BudgetCheck.Verdict
  ) {
    guard let share else { return unknownShares.append(kind) }
    shares.append(ShareCheck(kind: kind, limit: limit, share: share, verdict: verdict(share)))
  }

  /// Whether a gate of a fleet can hold launches against this budget.
  package static func checks(_ budget: QuantileBudget) -> Bool { budget.isTime && !budget.metric.hasPrefix("count/") }

  /// The metrics that budgets need of the records: `FleetQuestion.metrics`.
  package static func metrics(of budgets: [QuantileBudget]) -> Set<String> {
    Set(budgets.filter(checks).map { FleetQuestion.metric(named: $0.metric) })
  }

  private static func verdict(_ lower: Double, _ upper: Double, most: Double) -> BudgetCheck.Verdict {
    upper <= most ? .within : lower > most ? .over : .inconclusive(furtherRuns: nil)
  }

  private static func share(
    _ table: FleetTable, _ rows: [Bool], _ tail: Double, _ holds: (FleetTable, Int) -> Bool,
    among: (FleetTable, Int) -> Bool
  ) -> Proportion? {
    var share = WeightedShare()
    for row in rows.indices where rows[row] && among(table, row) {
      share.add(holds(table, row), weight: Double(table.weights[row]), records: table.records(row))
    }
    return share.proportion(tail: tail)
  }

  package var status: GateResult.Status {
    if launches == 0 { return .incomparable }
    let verdicts = checks.map(\.verdict) + shares.map(\.verdict)
    if verdicts.contains(.over) { return .overBudget }
    let compared = comparison?.status
    if let compared, [.baselineMissing, .incomparable, .regressed].contains(compared) { return compared }
    let isUndecided = verdicts.contains { if case .inconclusive = $0 { true } else { false } }
    return isUnchecked || isUndecided || mostFailed ? .inconclusive : compared ?? .passed
  }

  /// Whether budgets say something of less than half of the launches.
  package var mostFailed: Bool { unlimitedFailures.map { $0.estimate > 0.5 } ?? false }

  /// Whether a limit of the command line was held against nothing, or all budgets were. The file is also for launches that
  /// the launcher observes: they have phases that records do not have.
  private var isUnchecked: Bool {
    !unknownShares.isEmpty || unknown.contains { $0.place == nil } || (checks.isEmpty && !unknown.isEmpty)
  }
}

extension FleetTable {
  /// The metric of that name, also as `gate` calls it; also a phase by its name alone.
  func metric(named name: String) -> MetricColumn? {
    metric(FleetQuestion.metric(named: name)) ?? metric("phase/" + name)
  }

  /// Budgets, and those of a file that they do not replace. One of the same quantile of the same metric does.
  package func budgets(_ budgets: [QuantileBudget], replacing others: [QuantileBudget]) -> [QuantileBudget] {
    func quantile(_ budget: QuantileBudget) -> String {
      let name = metric(named: budget.metric)?.name ?? FleetQuestion.metric(named: budget.metric)
      return "\(name) \(budget.quantileName)"
    }
    let replaced = Set(budgets.map(quantile))
    return others.filter { !replaced.contains(quantile($0)) } + budgets
  }

  /// Whether any record has the metric of a budget; also a record that the question leaves out.
  package func knows(_ budget: QuantileBudget) -> Bool { metric(named: budget.metric) != nil }
}
