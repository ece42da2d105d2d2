// SPDX-License-Identifier: Apache-2.0

/// Comparisons of several scenarios that have one allowed error together (D212).
package struct ScenarioFamily {
  /// The error on each side, of all scenarios together.
  private let tail: Double
  private let count: Int

  package init(tail: Double, count: Int) { (self.tail, self.count) = (tail, max(1, count)) }

  /// The error that each scenario may have while none is decided.
  package var strictest: Double { tail / Double(count) }

  /// Holm's step-down: a scenario that certainly regressed leaves its share of the error to the others, which are evaluated
  /// again with it.
  ///
  /// - Parameters:
  ///   - results: with comparisons made at `strictest`.
  ///   - most: the largest number of rounds of each.
  package func corrected(_ results: [GateResult], most: [Int]) -> [GateResult] {
    var results = results
    var decided = 0
    while true {
      let found = results.count { Self.isFound($0.comparison) }
      guard found > decided, found < count else { return results }
      decided = found
      for place in results.indices where !Self.isFound(results[place].comparison) {
        guard let comparison = results[place].comparison, comparison.total != nil else { continue }
        results[place].comparison = evaluated(comparison, most: most[place], tail: tail / Double(count - decided))
      }
    }
  }

  /// Whether the times say so; counts that never vary need no correction.
  private static func isFound(_ comparison: LaunchComparison?) -> Bool {
    guard let comparison, comparison.outcome == .decided(.regressed) else { return false }
    return [Metric.total.id, Metric.cpu.id].contains(comparison.decidedBy)
  }

  private func evaluated(_ comparison: LaunchComparison, most: Int, tail: Double) -> LaunchComparison {
    var options = comparison.options
    options.tail = tail
    // Recorded launches are evaluated once.
    if comparison.total?.shift.design == .rounds, options.lookTail != nil {
      let plan = SequentialPlan.doubling(maximum: most, tail: tail)
      let rounds = comparison.head.map(\.provenance.round).max() ?? 0
      let look = plan.looks.firstIndex { $0 >= rounds } ?? plan.looks.count - 1
      (options.lookTail, options.looks) = (plan.tails[look], plan.looks.count)
      options.isLastLook = look == plan.looks.count - 1
    }
    return LaunchComparison(base: comparison.base, head: comparison.head, options: options)
  }
}
