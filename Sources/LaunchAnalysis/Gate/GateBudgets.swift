// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Why a budget cannot be checked.
package struct BudgetError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable { case unknownMetric, wrongUnit }

  package var code: Code
  /// As the budget names it.
  package var metric: String
  /// A sentence for people.
  package var message: String

  package var description: String { message }
}

extension BudgetCheck {
  /// Checks the counted launches, of which there is at least one, against budgets.
  ///
  /// - Throws: `BudgetError` for a budget of a metric that no launch has, because such a budget could never fail.
  package static func all(
    _ budgets: [QuantileBudget], of launches: [Measurement], base: [Measurement] = [], tail: Double
  ) throws(BudgetError) -> [BudgetCheck] {
    let counted = launches.filter { $0.leftOut == nil }
    guard !counted.isEmpty else { return [] }
    let known = Set(counted.flatMap(\.values.keys))
    var checks: [BudgetCheck] = []
    for budget in budgets {
      guard let metric = Metric.named(budget.metric, among: known) else {
        throw BudgetError(code: .unknownMetric, metric: budget.metric, message: unknown(budget.metric, known))
      }
      try check(budget, unit: metric.unit)
      checks.append(BudgetCheck(budget, metric: metric, of: counted, base: base, tail: tail))
    }
    return checks
  }

  /// Checks the units of budgets, before anything is launched.
  ///
  /// - Throws: `BudgetError` for a time as the limit of a count, or a number as the limit of a time.
  package static func checkUnits(_ budgets: [QuantileBudget]) throws(BudgetError) {
    for budget in budgets { if let unit = Metric.unit(ofID: budget.metric) { try check(budget, unit: unit) } }
  }

  private static func check(_ budget: QuantileBudget, unit: Metric.Unit) throws(BudgetError) {
    guard (unit == .nanoseconds) != budget.isTime else { return }
    let number = unit == .bytes ? "a number of bytes" : "a number"
    let wanted = budget.isTime ? "\(number) without a unit" : "a time such as 16ms"
    throw BudgetError(
      code: .wrongUnit, metric: budget.metric, message: "the budget of \"\(budget.metric)\" must be \(wanted)")
  }

  private static func unknown(_ name: String, _ known: Set<Metric>) -> String {
    let several = Metric.candidates(name, among: known).map(\.id).sorted()
    if several.count > 1 {
      return "\"\(name)\" may be \(several.prefix(8).joined(separator: " or ")); write the one that you mean"
    }
    if !Metric.words.contains(name), ExactCount(rawValue: name) != nil {
      return "\"\(name)\" has no budget; write below `more` how much this count may grow"
    }
    return "no launch has \"\(name)\"; known metrics: \(Metric.list(known))"
  }
}

extension Metric {
  /// The ids of metrics for a message. Phases are what people mean; of intervals there may be hundreds.
  package static func list(_ known: Set<Metric>) -> String {
    let order = ["total", "phase", "cpu"]
    func rank(_ id: String) -> Int { order.firstIndex { id.hasPrefix($0) } ?? order.count }
    let names = known.filter { !$0.group.isLongest }.map(\.id).sorted { (rank($0), $0) < (rank($1), $1) }
    return names.listed(60)
  }

  /// The metric of that id; also a phase or interval by its name alone, where only one has it, and a library by its link.
  package static func named(_ name: String, among known: Set<Metric>) -> Metric? {
    if let exact = known.first(where: { $0.id == name }) { return exact }
    let byName = candidates(name, among: known)
    if byName.isEmpty { return library(name, among: known) }
    return byName.count == 1 ? byName.first : nil
  }

  /// A state needs its group: every launch has each of them, so a phase or an interval of that name would never be alone.
  fileprivate static func candidates(_ name: String, among known: Set<Metric>) -> Set<Metric> {
    known.filter { $0.name == name && $0.group.isCompared && $0.group != .state }
  }

  /// `library/libz.so.1.2.13` for `library/libz.so.1`.
  private static func library(_ id: String, among known: Set<Metric>) -> Metric? {
    let prefix = Group.library.rawValue + "/"
    guard id.hasPrefix(prefix) else { return nil }
    let link = String(id.dropFirst(prefix.count))
    let file = LibraryFiles(known.filter { $0.group == .library }.map(\.name)).file(of: link)
    return file == link ? nil : Metric(.library, [file])
  }
}
