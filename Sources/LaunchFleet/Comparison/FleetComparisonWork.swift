// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchRecord

/// The passes over the launches that a comparison takes.
struct FleetComparisonWork {
  private let table: FleetTable
  private let sides: ComparedSides
  private let groups: RowGroups
  /// As `groups`, with the launches that failed.
  private let all: RowGroups
  private let options: FleetComparisonOptions
  private let weights: [Float]?
  private let units: LabelColumn?
  private let orders: [SortedRows]
  /// Places of the metrics, the total first. Others are in the table for a gate's budgets (D258).
  private let compared: [Int]
  private(set) var total: CohortEffects.Effect?
  private(set) var failureProbability: Double?

  /// The error on each side of an interval: the total's half of all.
  private var tail: Double { options.error / 4 }

  init(_ table: FleetTable, _ sides: ComparedSides, _ mix: MixChoice, _ options: FleetComparisonOptions) {
    (self.table, self.sides, self.options) = (table, sides, options)
    groups = mix.groups
    let columns = mix.names.compactMap(table.label).filter { Self.isKnownOfFailures($0, table, sides) }
    all = RowGroups(table, where: sides.numbers.map { $0 >= 0 }).divided(by: columns)
    weights = table.sampleWeights
    units = options.unit.flatMap(table.label)
    orders = table.metrics.map { SortedRows($0.values) }
    // The total is the first one.
    let metrics = table.metrics.indices.filter { table.metrics[$0].isCompared }
    compared =
      metrics.prefix(1)
      + metrics.dropFirst().sorted { MetricColumn.precedes(table.metrics[$0].name, table.metrics[$1].name) }
  }

  /// A launch that ended early does not know all of itself: its end milestone, or why it took place. Divided by such a
  /// column, the failures of both sides would be a cohort of their own, in which all launches fail.
  private static func isKnownOfFailures(_ column: LabelColumn, _ table: FleetTable, _ sides: ComparedSides) -> Bool {
    var (failed, completed) = (WeightedShare(), WeightedShare())
    for row in 0..<table.count where sides.numbers[row] >= 0 {
      let (isUnknown, weight, records) = (column.codes[row] == 0, Double(table.weights[row]), table.records(row))
      switch table.hasFailed(row) {
      case true?: failed.add(isUnknown, weight: weight, records: records)
      case false?: completed.add(isUnknown, weight: weight, records: records)
      case nil: break
      }
    }
    return failed.share <= completed.share + mostUnknown
  }

  private static let mostUnknown = 0.05

  /// - Parameter options: nil for those of the comparison.
  private func effects(_ metric: Int, _ groups: RowGroups, _ options: FleetComparisonOptions? = nil) -> CohortEffects {
    let options = options ?? self.options
    return CohortEffects(
      table.metrics[metric], orders[metric], groups, sides, weights: weights, fraction: options.fraction,
      least: options.leastOfCohort, units: units)
  }

  mutating func rows() -> [FleetComparison.Row] {
    var result: [FleetComparison.Row] = []
    for metric in compared {
      let effects = effects(metric, groups)
      let pooled = effects.pooled { _ in true }
      if metric == 0 { total = pooled }
      var row = FleetComparison.Row(
        metric: table.metrics[metric].name, base: effects.raw[0], head: effects.raw[1],
        shift: pooled?.shift(tail: tail))
      if row.shift != nil, let raw = row.raw, raw > -1 {
        row.mix = MixEffect.of(
          table.metrics[metric], orders[metric], groups, sides, weights: weights, fraction: options.fraction)
      }
      result.append(row)
    }
    return result
  }

  /// The lowest of the higher quantiles at which the total surely got slower for most launches; nil if there is none.
  func slowerTail() -> FleetComparison.Tail? {
    let fractions = [0.9, 0.95, 0.99].filter { $0 > options.fraction }
    for fraction in fractions {
      var options = options
      options.fraction = fraction
      guard let effect = effects(0, groups, options).pooled(where: { _ in true }),
        FleetComparison.isEnough(mean: effect.weight, ofHead: effect.ofHead)
      else { continue }
      let shift = effect.shift(tail: tail / Double(fractions.count))
      let thresholds = Thresholds.standard(
        total: Logarithm.inverse(effect.level), relative: options.relative, absolute: options.absolute)
      if Verdict(shift, thresholds) == .regressed { return FleetComparison.Tail(fraction: fraction, shift: shift) }
    }
    return nil
  }

  /// Each value of each column, in total and by phase. A phase that is too short to grow by the threshold is not tested.
  func cohorts(_ columns: [LabelColumn], _ thresholds: Thresholds) -> [FleetComparison.Cohort] {
    var result: [FleetComparison.Cohort] = []
    for column in columns {
      let (groups, values) = divided(by: column)
      for metric in compared {
        let effects = effects(metric, groups)
        let totals = metric == 0 ? totals(by: column) : [:]
        for code in Set(values).sorted() {
          guard let effect = effects.pooled(where: { values[$0] == code }) else { continue }
          let shift = effect.shift(tail: tail)
          guard max(shift.base, shift.head) > thresholds.absolute else { continue }
          result.append(
            FleetComparison.Cohort(
              column: column.name, value: column.text(code), metric: table.metrics[metric].name,
              base: totals[code]?.base, head: totals[code]?.head, shift: shift, verdict: Verdict(shift, thresholds),
              adjustedProbability: 1))
        }
      }
    }
    return result
  }

  /// The quantile of the total of each side's launches with each value of a column; nil without launches.
  private func totals(by column: LabelColumn) -> [UInt16: (base: Double?, head: Double?)] {
    let (all, origins) = RowGroups(joining: groups).divided(by: column)
    let samples = GroupedSamples(table.metrics[0], orders[0], all.divided(by: sides), weights: weights)
    func quantile(_ group: Int) -> Double? {
      let found = samples[group].quantile(options.fraction)
      return found.isNaN ? nil : found
    }
    return Dictionary(
      uniqueKeysWithValues: origins.enumerated().map { ($1.code, (quantile(2 * $0), quantile(2 * $0 + 1))) })
  }

  /// The cohorts divided further, with the column's value of each. (A column that is held divides nothing.)
  private func divided(by column: LabelColumn) -> (groups: RowGroups, values: [UInt16]) {
    let (divided, origins) = groups.divided(by: column)
    return (divided, origins.map(\.code))
  }

  /// Failures like for like: the difference of shares, averaged over cohorts as times are.
  mutating func failures() -> FleetComparison.Failures? {
    var all = [WeightedShare(), WeightedShare()]
    for row in 0..<table.count where sides.numbers[row] >= 0 { add(row, to: &all[Int(sides.numbers[row])]) }
    guard let base = all[0].proportion(tail: options.error / 2), let head = all[1].proportion(tail: options.error / 2)
    else { return nil }
    let (difference, variance, isEnough) = failureDifference()
    if variance > 0, isEnough {
      failureProbability = min(1, 2 * NormalDistribution.above(abs(difference) / variance.squareRoot()))
    }
    return FleetComparison.Failures(base: base, head: head, difference: difference)
  }

  private func add(_ row: Int, to share: inout WeightedShare) {
    guard let hasFailed = table.hasFailed(row) else { return }
    share.add(hasFailed, weight: Double(table.weights[row]), records: table.records(row))
  }

  /// Also whether enough launches have counterparts.
  private func failureDifference() -> (difference: Double, variance: Double, isEnough: Bool) {
    let groups = self.all.divided(by: sides)
    var shares = [WeightedShare](repeating: WeightedShare(), count: groups.count)
    for row in 0..<table.count where groups.numbers[row] >= 0 { add(row, to: &shares[Int(groups.numbers[row])]) }
    let totals = (0..<2).map { side in stride(from: side, to: shares.count, by: 2).reduce(0) { $0 + shares[$1].all } }
    var (difference, variance, sum, ofHead) = (0.0, 0.0, 0.0, 0.0)
    var factors = [Double](repeating: 0, count: groups.count)
    for group in stride(from: 0, to: shares.count, by: 2) {
      guard let base = shares[group].proportion(tail: 0.01), let head = shares[group + 1].proportion(tail: 0.01),
        min(base.count, head.count) >= Double(FleetComparisonOptions.leastOfShares)
      else { continue }
      let weight = (shares[group].all / totals[0] + shares[group + 1].all / totals[1]) / 2
      let common = (base.estimate * base.count + head.estimate * head.count) / (base.count + head.count)
      difference += weight * (head.estimate - base.estimate)
      variance += weight * weight * common * (1 - common) * (1 / base.count + 1 / head.count)
      sum += weight
      ofHead += shares[group + 1].all / totals[1]
      (factors[group], factors[group + 1]) = (-weight, weight)
    }
    if let units, sum > 0 {
      var sums = UnitSums(groups, units)
      for row in groups.numbers.indices where groups.numbers[row] >= 0 {
        guard let hasFailed = table.hasFailed(row) else { continue }
        let share = shares[Int(groups.numbers[row])]
        sums.add(row, Double(table.weights[row]) * ((hasFailed ? 1 : 0) - share.share) / share.all)
      }
      variance = sums.variance(factors)
    }
    guard sum > 0 else { return (0, 0, false) }
    return (difference / sum, variance / (sum * sum), FleetComparison.isEnough(mean: sum, ofHead: ofHead))
  }
}

// What got slower, and for whom.
extension FleetComparisonWork {
  private static let mostGuilty = 3

  /// The metrics that surely got slower, the one that costs most first. The total is named only when no phase is.
  func guilty(
    _ rows: [FleetComparison.Row], _ cohorts: [FleetComparison.Cohort], _ columns: [LabelColumn],
    _ thresholds: Thresholds
  ) -> [FleetComparison.Guilt] {
    var growth: [String: Double] = [:]
    for row in rows where row.verdict == .regressed { growth[row.metric] = row.shift?.estimate.absolute ?? 0 }
    for cohort in cohorts where cohort.verdict == .regressed && growth[cohort.metric] == nil {
      let all = rows.first { $0.metric == cohort.metric }?.shift?.estimate.absolute ?? 0
      growth[cohort.metric] = max(all, 0)
    }
    var names = growth.keys.sorted { (growth[$1] ?? 0, $0) < (growth[$0] ?? 0, $1) }
    if names.count > 1 { names.removeAll { $0 == "total" } }
    return names.prefix(Self.mostGuilty).compactMap { name in
      guard let metric = table.metrics.firstIndex(where: { $0.name == name }) else { return nil }
      let isSure = rows.first { $0.metric == name }?.verdict == .regressed
      let regressed = isSure ? [] : cohorts.filter { $0.metric == name && $0.verdict == .regressed }
      return guilt(metric, columns, thresholds, regressed)
    }
  }

  /// The column one of whose values differs most surely from all others, if any does.
  ///
  /// - Parameter regressed: the cohorts that surely got slower, if it is not sure that all of them together did.
  private func guilt(
    _ metric: Int, _ columns: [LabelColumn], _ thresholds: Thresholds, _ regressed: [FleetComparison.Cohort]
  ) -> FleetComparison.Guilt? {
    var best: (score: Double, column: LabelColumn, codes: [UInt16])?
    var tested = 0
    for column in columns {
      let (groups, values) = divided(by: column)
      let effects = effects(metric, groups)
      var found: [(score: Double, code: UInt16)] = []
      for code in Set(values).sorted() {
        guard let inside = effects.pooled(where: { values[$0] == code }),
          let outside = effects.pooled(where: { values[$0] != code })
        else { continue }
        tested += 1
        if Verdict(inside.shift(tail: tail), thresholds) == .regressed {
          found.append((inside.score(above: outside), code))
        }
      }
      guard let most = found.max(by: { $0.score < $1.score }), most.score > best?.score ?? 0 else { continue }
      // Other values of the column that are slower as surely belong to it.
      let others = found.filter { $0.score > max(3, most.score / 3) }
      best = (most.score, column, others.isEmpty ? [most.code] : others.map(\.code))
    }
    let limit = NormalDistribution.upperQuantile(options.error / 2 / Double(max(1, tested)))
    guard let best, best.score > limit else {
      if let guilt = guilt(metric, columns, regressed) { return guilt }
      guard let shift = effects(metric, groups).pooled(where: { _ in true })?.shift(tail: tail) else { return nil }
      var guilt = FleetComparison.Guilt(metric: table.metrics[metric].name, shift: shift)
      guilt.exemplars = exemplars(metric) { _ in true }
      return guilt
    }
    let (groups, values) = divided(by: best.column)
    let effects = effects(metric, groups)
    guard let inside = effects.pooled(where: { best.codes.contains(values[$0]) }) else { return nil }
    return FleetComparison.Guilt(
      metric: table.metrics[metric].name, column: best.column.name, values: best.codes.map(best.column.text),
      shift: inside.shift(tail: tail),
      elsewhere: effects.pooled { !best.codes.contains(values[$0]) }?.shift(tail: tail),
      exemplars: exemplars(metric) { best.codes.contains(best.column.codes[$0]) })
  }

  /// All cohorts of the column that has the one that most surely got slower; nil if none did.
  private func guilt(
    _ metric: Int, _ columns: [LabelColumn], _ regressed: [FleetComparison.Cohort]
  ) -> FleetComparison.Guilt? {
    guard let surest = regressed.min(by: { $0.adjustedProbability < $1.adjustedProbability }),
      let column = columns.first(where: { $0.name == surest.column })
    else { return nil }
    let names = regressed.filter { $0.column == surest.column }.map(\.value)
    let (groups, values) = divided(by: column)
    let together = effects(metric, groups).pooled { names.contains(column.text(values[$0])) }
    return FleetComparison.Guilt(
      metric: surest.metric, column: surest.column, values: names, shift: together?.shift(tail: tail) ?? surest.shift,
      exemplars: exemplars(metric) { names.contains(column.text(column.codes[$0])) })
  }

  /// Launches of the head at the median and at the ninetieth and ninety-ninth percentile.
  private func exemplars(_ metric: Int, where includes: (Int) -> Bool) -> [LaunchID] {
    guard !table.ids.isEmpty else { return [] }
    let rows = orders[metric].rows.map { Int($0) }.filter { row in
      sides.numbers[row] == 1 && groups.numbers[row] >= 0 && includes(row) && table.ids[row] != .absent
    }
    guard !rows.isEmpty else { return [] }
    var ids: [LaunchID] = []
    for fraction in [0.5, 0.9, 0.99] {
      let id = table.ids[rows[Int(fraction * Double(rows.count - 1))]]
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
