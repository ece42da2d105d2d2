// SPDX-License-Identifier: Apache-2.0

/// What another mix of launches does by itself: how far the quantile of the base's launches moves if each cohort counts by its
/// share of the head.
///
/// What is left of the difference of all launches, after the effects of the cohorts, would be the mix only if all cohorts
/// had the same effect.
enum MixEffect {
  /// A part of the base's quantile; nil if that is 0, or if no cohort has launches on both sides.
  ///
  /// - Parameters:
  ///   - groups: of cohorts; −1 for rows that are not compared.
  ///   - isCompared: whether a cohort has enough launches on both sides.
  static func of(
    _ column: MetricColumn, _ order: SortedRows, _ groups: RowGroups, _ sides: ComparedSides, weights: [Float]?,
    fraction: Double, isCompared: (Int) -> Bool
  ) -> Double? {
    var sums = [Double](repeating: 0, count: groups.count * 2)
    for row in column.values.indices where groups.numbers[row] >= 0 && !column.values[row].isNaN {
      let group = Int(groups.numbers[row])
      guard isCompared(group) else { continue }
      sums[group * 2 + Int(sides.numbers[row])] += Double(weights?[row] ?? 1) * Double(column.records(row))
    }
    var base = groups.numbers
    var mixed = [Float](repeating: 1, count: base.count)
    for row in base.indices where base[row] >= 0 {
      let group = Int(base[row])
      guard sides.numbers[row] == 0, isCompared(group), sums[group * 2] > 0 else {
        base[row] = -1
        continue
      }
      base[row] = 0
      mixed[row] = (weights?[row] ?? 1) * Float(sums[group * 2 + 1] / sums[group * 2])
    }
    let one = RowGroups(numbers: base, count: 1)
    let (from, to) = (
      GroupedSamples(column, order, one, weights: weights)[0].quantile(fraction),
      GroupedSamples(column, order, one, weights: mixed)[0].quantile(fraction)
    )
    guard from > 0, to.isFinite else { return nil }
    return to / from - 1
  }
}
