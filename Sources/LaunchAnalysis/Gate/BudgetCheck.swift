// SPDX-License-Identifier: Apache-2.0

/// The most that a quantile of a metric may be.
package struct QuantileBudget: Sendable, Equatable {
  /// `total`, `phase/…`, …: `Metric.id`.
  package var metric: String
  /// 0.5 for the median.
  package var fraction: Double
  /// In the metric's unit.
  package var limit: Double
  /// Whether the limit was given as a time, not as a count.
  package var isTime: Bool
  package var source = Source.gate
  /// Where the budget is: the file, as the CI names it, the line and the column, from 1.
  package var place: FileLine?

  /// The key of the file that the budget is below. Two budgets may limit one quantile of a metric, one of each.
  package enum Source: String, Sendable {
    /// `budgets` below `gate`.
    case gate
    case milestones, phases, intervals

    package init(_ kind: BudgetRule.Kind) {
      self =
        switch kind {
        case .milestone: .milestones
        case .phase: .phases
        case .interval: .intervals
        }
    }
  }

  package struct FileLine: Sendable, Equatable {
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int = 1) {
      (self.file, self.line, self.column) = (file, line, column)
    }
  }

  package init(metric: String, fraction: Double, limit: Double, isTime: Bool = true) {
    (self.isTime, self.metric, self.fraction, self.limit) = (isTime, metric, fraction, limit)
  }

  /// `p50`, `p90`, …
  package var quantileName: String { QuantileName.of(fraction) }
}

/// A quantile of the launches held against its budget.
package struct BudgetCheck: Sendable, Equatable {
  package enum Verdict: Sendable, Equatable {
    /// The upper end of the interval is within the budget.
    case within
    /// The lower end is beyond it.
    case over
    /// Inconclusive, with the number of further launches that would probably be enough; nil if no number is: the
    /// quantile equals the budget, or too many launches never reached the milestone.
    case inconclusive(furtherRuns: Int?)

    package var name: String {
      switch self {
      case .within: "within"
      case .over: "over"
      case .inconclusive: "inconclusive"
      }
    }
  }

  package var budget: QuantileBudget
  package var metric: Metric
  /// Infinite if so many launches never reached the milestone.
  package var estimate: Double
  /// Infinite where the launches are too few, or never reached the milestone.
  package var lower: Double
  package var upper: Double
  package var count: Int
  /// How many of the launches never reached the milestone that the budget is for.
  package var unreached: Int
  package var verdict: Verdict
  /// The same quantile of the base's launches; nil where there are none.
  package var base: Double?

  /// Whether the launches of the base may be over the budget, too.
  package private(set) var isBaseUncertain = false

  /// Whether the base is over the budget, too. Then the change did not break it.
  package var isBaseOver: Bool { base.map { $0 > budget.limit } ?? false }
  /// Whether this check says nothing about the change. Base and head are both too near to the budget, or have too few
  /// launches, and the head's estimate is over it only if the base's is.
  package var isAsUndecidedAsBase: Bool {
    guard case .inconclusive = verdict, isBaseUncertain else { return false }
    return estimate <= budget.limit || isBaseOver
  }

  /// Whether this check is inconclusive, and the one of the base is not.
  package var isUndecided: Bool {
    if case .inconclusive = verdict { !isAsUndecidedAsBase } else { false }
  }

  /// How many launches give an interval with both ends; nil if more than a gate can make.
  private var leastCount: Int?

  /// How many launches give the interval an upper end; nil if it has one, or if more launches would not give one.
  package var launchesForUpperEnd: Int? {
    guard !upper.isFinite, unreached == 0, let leastCount, leastCount > count else { return nil }
    return leastCount
  }

  /// Whether there are too few launches for an interval, but `most` would give one. Until then, any two programs look alike.
  package func lacksLaunches(of most: Int) -> Bool {
    guard case .inconclusive = verdict, let leastCount else { return false }
    return count < leastCount && leastCount <= most
  }

  /// - Parameters:
  ///   - launches: counted, at least one that has the metric.
  ///   - tail: the error allowed on each side.
  ///   - base: what the launches are compared with; those that do not count are passed over.
  init(_ budget: QuantileBudget, metric: Metric, of launches: [Measurement], base: [Measurement] = [], tail: Double) {
    let before = base.filter { $0.leftOut == nil }.compactMap { $0.limited(metric) }
    // A milestone of the head only says nothing about the base.
    if before.contains(where: \.isFinite) {
      let interval = Self.interval(before, metric, budget.fraction, tail: tail)
      (self.base, isBaseUncertain) = (interval.estimate, interval.upper > budget.limit)
    }
    let values = launches.compactMap { $0.limited(metric) }
    let interval = Self.interval(values, metric, budget.fraction, tail: tail)
    (self.budget, self.metric, count) = (budget, metric, values.count)
    leastCount = Self.leastCount(budget.fraction, tail: tail)
    unreached = values.count { !$0.isFinite }
    (estimate, lower, upper) = (interval.estimate, interval.lower, interval.upper)
    if interval.upper <= budget.limit {
      verdict = .within
    } else if interval.lower > budget.limit {
      verdict = .over
    } else {
      verdict = .inconclusive(furtherRuns: Self.furtherRuns(values, interval, budget, tail: tail))
    }
  }

  /// Of a count that is usually the same in all launches, one launch shows what it is, unless the launches differ.
  private static func interval(
    _ values: [Double], _ metric: Metric, _ fraction: Double, tail: Double
  ) -> QuantileInterval {
    var interval = QuantileInterval(values, fraction: fraction, tail: tail)
    if metric.isExact, values.allSatisfy({ $0 == values[0] }) {
      (interval.lower, interval.upper) = (interval.estimate, interval.estimate)
    }
    return interval
  }

  /// A quantile without a limit.
  ///
  /// - Parameter launches: counted, at least one.
  package init(unlimited metric: Metric, fraction: Double, of launches: [Measurement], tail: Double) {
    self.init(
      QuantileBudget(metric: metric.id, fraction: fraction, limit: .infinity), metric: metric, of: launches, tail: tail)
  }

  /// As many launches as make the interval narrow enough, because its width falls with the root of their number. But if there are
  /// too few launches for an interval, their estimate says little: then at most as many as give one.
  private static func furtherRuns(
    _ values: [Double], _ interval: QuantileInterval, _ budget: QuantileBudget, tail: Double
  ) -> Int? {
    let isOver = interval.estimate > budget.limit
    let bound = isOver ? interval.lower : interval.upper
    let missing = leastCount(budget.fraction, tail: tail).map { $0 - values.count }
    // With enough launches, an infinite bound is that of launches that never reached the milestone.
    guard bound.isFinite else { return missing.flatMap { $0 > 0 ? $0 : nil } }
    let (width, distance) = (abs(interval.estimate - bound), abs(interval.estimate - budget.limit))
    guard distance > 0 else { return nil }
    let needed = Double(values.count) * (width / distance) * (width / distance)
    let further = needed < Double(mostRuns) ? max(1, Int(needed.rounded(.up)) - values.count) : nil
    guard let missing, missing > 0 else { return further }
    return min(further ?? missing, missing)
  }

  private static let mostRuns = 100_000

  /// How many launches give an interval with both ends; nil if more than a gate can make. The sample's least and greatest value
  /// bound the quantile once the power of its share is below the tail.
  private static func leastCount(_ fraction: Double, tail: Double) -> Int? {
    let share = max(fraction, 1 - fraction)
    var (needed, power) = (0, 1.0)
    while power > tail, needed < mostRuns {
      power *= share
      needed += 1
    }
    return power > tail ? nil : needed
  }
}
