// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// How much a metric differs between the sides in each cohort, and together.
///
/// A cohort counts by the mean of its shares of both sides (direct standardisation), so that the sides' sizes do not matter. The
/// effect of several is the weighted mean of the logarithms of their ratios, with the errors of all of them.
struct CohortEffects {
  struct Effect {
    /// The logarithm of the ratio of the quantiles.
    var logarithm: Double
    var variance: Double
    /// The logarithm of the base's quantile.
    var level: Double
    var weight: Double
    /// The part of the head's launches.
    var ofHead: Double
    /// The number of launches of the side that has fewer.
    var count: Int
  }

  /// nil for a cohort with too few launches on a side.
  let effects: [Effect?]
  /// Medians of all launches of each side that have the metric; nil for none.
  let raw: [Double?]
  /// nil if launches are independent.
  private var sums: UnitSums?
  /// The change of a quantile's logarithm with the part of the launches below it, by side of a cohort.
  private var slopes: [Double] = []

  /// - Parameters:
  ///   - order: of the column.
  ///   - groups: of cohorts; −1 for rows that are not compared.
  ///   - units: the machine of each launch; nil if launches are independent.
  init(
    _ column: MetricColumn, _ order: SortedRows, _ groups: RowGroups, _ sides: ComparedSides, weights: [Float]?,
    fraction: Double, least: Int, units: LabelColumn?
  ) {
    let samples = GroupedSamples(column, order, groups.divided(by: sides), weights: weights)
    let totals = (0..<2).map { side in (0..<groups.count).reduce(0) { $0 + samples[2 * $1 + side].total } }
    let whole = GroupedSamples(column, order, RowGroups(joining: groups).divided(by: sides), weights: weights)
    raw = (0..<2).map { whole[$0].count > 0 ? whole[$0].quantile(fraction) : nil }
    effects = (0..<groups.count).map { group in
      let (base, head) = (samples[2 * group], samples[2 * group + 1])
      guard min(base.effectiveCount, head.effectiveCount) >= Double(least) else { return nil }
      let (from, to) = (base.logQuantile(fraction), head.logQuantile(fraction))
      return Effect(
        logarithm: to.value - from.value, variance: from.error * from.error + to.error * to.error, level: from.value,
        weight: (base.total / totals[0] + head.total / totals[1]) / 2, ofHead: head.total / totals[1],
        count: min(base.count, head.count))
    }
    if let units { addUnits(units, column, order, groups.divided(by: sides), samples, weights, fraction) }
  }

  private mutating func addUnits(
    _ units: LabelColumn, _ column: MetricColumn, _ order: SortedRows, _ divided: RowGroups, _ samples: GroupedSamples,
    _ weights: [Float]?, _ fraction: Double
  ) {
    var sums = UnitSums(divided, units)
    let levels = (0..<divided.count).map { samples[$0].count > 0 ? samples[$0].quantile(fraction) : 0 }
    let totals = (0..<divided.count).map { samples[$0].total }
    slopes = (0..<divided.count).map { side in
      guard samples[side].count > 0 else { return 0 }
      return samples[side].logQuantile(fraction).error
        / (fraction * (1 - fraction) / samples[side].effectiveCount).squareRoot()
    }
    for row in column.values.indices where !column.values[row].isNaN {
      guard let side = sums.side(of: row) else { continue }
      let isAbove = Double(column.values[row]) > levels[side]
      let weight = Double(weights?[row] ?? 1)
      sums.add(row, weight * ((isAbove ? 1 : 0) - (1 - fraction)) / totals[side])
      sums.add(weight: weight, of: row)
    }
    for pairs in sums.large(totals) {
      let rest = GroupedSamples(column, order, sums.without(pairs, of: divided), weights: weights)
      for pair in pairs {
        let side = sums.parent(of: pair)
        guard slopes[side] > 0, rest[side].count > 0 else { continue }
        let distance = samples[side].logQuantile(fraction).value - rest[side].logQuantile(fraction).value
        sums.raise(pair, to: distance / slopes[side])
      }
    }
    self.sums = sums
  }

  /// The effect over some cohorts; nil when none of them has one.
  func pooled(where includes: (Int) -> Bool) -> Effect? {
    var sum = Effect(logarithm: 0, variance: 0, level: 0, weight: 0, ofHead: 0, count: 0)
    for (group, effect) in effects.enumerated() where includes(group) {
      guard let effect else { continue }
      sum.logarithm += effect.logarithm * effect.weight
      sum.variance += effect.variance * effect.weight * effect.weight
      sum.level += effect.level * effect.weight
      sum.weight += effect.weight
      sum.ofHead += effect.ofHead
      sum.count += effect.count
    }
    guard sum.weight > 0 else { return nil }
    sum.logarithm /= sum.weight
    sum.variance /= sum.weight * sum.weight
    if let sums {
      var factors = [Double](repeating: 0, count: slopes.count)
      for (group, effect) in effects.enumerated() where includes(group) {
        guard let effect else { continue }
        factors[2 * group] = -slopes[2 * group] * effect.weight / sum.weight
        factors[2 * group + 1] = slopes[2 * group + 1] * effect.weight / sum.weight
      }
      sum.variance = sums.variance(factors)
      // The launches do not say how sure they are.
      guard sum.variance.isFinite else { return nil }
    }
    sum.level /= sum.weight
    return sum
  }
}

extension CohortEffects.Effect {
  func shift(tail: Double) -> Shift {
    Shift(
      cohorts: Logarithm.inverse(level), logarithm: logarithm, error: variance.squareRoot(), tail: tail, count: count)
  }

  /// Whether this effect is larger than the other one, by independent launches: a standard normal number when it is not.
  func score(above other: CohortEffects.Effect) -> Double {
    (logarithm - other.logarithm) / (variance + other.variance).squareRoot()
  }
}
