/// Why budgets cannot be checked.
public struct UnknownMetricError: Error, Sendable, Equatable, CustomStringConvertible {
  public var name: String
  /// Those that the launches have, in order.
  public var known: [String]

  public var description: String {
    "no launch has \"\(name)\"; there are \(known.joined(separator: ", "))"
  }
}

extension BudgetCheck {
  /// Checks the counted launches, of which there is at least one, against budgets.
  ///
  /// - Throws: `UnknownMetricError` for a budget of something that no launch has: a budget that is never looked at
  ///   would be a gate that cannot fail.
  public static func all(
    _ budgets: [QuantileBudget], of launches: [Measurement], tail: Double
  ) throws(UnknownMetricError) -> [BudgetCheck] {
    let counted = launches.filter { $0.leftOut == nil }
    guard !counted.isEmpty else { return [] }
    let known = Set(counted.flatMap(\.values.keys))
    var checks: [BudgetCheck] = []
    for budget in budgets {
      guard let metric = Metric.named(budget.metric, among: known) else {
        throw UnknownMetricError(name: budget.metric, known: known.map(\.id).sorted())
      }
      checks.append(BudgetCheck(budget, metric: metric, of: counted, tail: tail))
    }
    return checks
  }
}

extension Metric {
  /// The metric of that id; also a phase or interval by its name alone, where only one has it.
  public static func named(_ name: String, among known: Set<Metric>) -> Metric? {
    if let exact = known.first(where: { $0.id == name }) { return exact }
    let byName = known.filter { $0.name == name }
    return byName.count == 1 ? byName.first : nil
  }
}
