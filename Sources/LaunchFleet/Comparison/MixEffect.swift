// SPDX-License-Identifier: Apache-2.0

/// What another mix of launches does by itself: how far the quantile of the base's launches moves if each cohort counts by its
/// share of the head.
///
/// What is left of the difference of all launches, after the effects of the cohorts, would be the mix only if all cohorts
/// had the same effect.
enum MixEffect {
  /// With fewer launches of the base, its times in a cohort are not known well enough to count them many times.
  private static let leastOfBase = 10
  /// The part of the head whose cohorts the base may lack.
  private static let mostUnknown = 0.05

  /// A part of the base's quantile; nil if that is 0, or if the base has no launches like more than a few of the head's.
  ///
  /// - Parameter groups: of cohorts; −1 for rows that are not compared.
  static func of(
    _ column: MetricColumn, _ order: SortedRows, _ groups: RowGroups, _ sides: ComparedSides, weights: [Float]?,
    fraction: Double
  ) -> Double? {
    var sums = [Double](repeating: 0, count: groups.count * 2)
    var records = [Int](repeating: 0, count: groups.count)
    for row in column.values.indices where groups.numbers[row] >= 0 && !column.values[row].isNaN {
      let (group, side) = (Int(groups.numbers[row]), Int(sides.numbers[row]))
      sums[group * 2 + side] += Double(weights?[row] ?? 1) * Double(column.records(row))
      if side == 0 { records[group] += column.records(row) }
    }
    let head = groups.indices.reduce(0) { $0 + sums[$1 * 2 + 1] }
    let unknown = groups.indices.reduce(0) { $0 + (records[$1] < leastOfBase ? sums[$1 * 2 + 1] : 0) }
    guard unknown <= mostUnknown * head else { return nil }
    var (base, mixed) = (groups.numbers, groups.numbers)
    var factors = [Float](repeating: 1, count: base.count)
    for row in base.indices where base[row] >= 0 {
      let group = Int(base[row])
      let isBase = sides.numbers[row] == 0 && sums[group * 2] > 0
      base[row] = isBase ? 0 : -1
      // The head's mix does not contain a cohort that only the base has.
      mixed[row] = isBase && sums[group * 2 + 1] > 0 ? 0 : -1
      if mixed[row] == 0 { factors[row] = (weights?[row] ?? 1) * Float(sums[group * 2 + 1] / sums[group * 2]) }
    }
    func quantile(_ numbers: [Int32], _ weights: [Float]?) -> Double {
      GroupedSamples(column, order, RowGroups(numbers: numbers, count: 1), weights: weights)[0].quantile(fraction)
    }
    let (from, to) = (quantile(base, weights), quantile(mixed, factors))
    guard from > 0, to.isFinite else { return nil }
    return to / from - 1
  }
}
