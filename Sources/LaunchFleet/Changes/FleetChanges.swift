// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Where the times of launches went to another level, day by day or version by version.
///
/// Each launch is set against the median of its cohort over all points, so that another mix of machines is no change.
package struct FleetChanges: Sendable {
  package enum Series: String, Sendable, CaseIterable { case day, version, build }

  package struct Point: Sendable {
    /// The day, or the version.
    package var name: String
    package var launches: Int
    /// The quantile of all launches, not like for like.
    package var quantile: FleetQuantile
    /// Against the cohorts' medians: 1.06 is 6 % above.
    package var level: Double
  }

  package struct Change: Sendable {
    /// The first point of the new level, most probably.
    package var place: Int
    /// One of these is the first, with 99 % confidence.
    package var places: ClosedRange<Int>
    package var probabilities: [Double]
    /// Like for like, from the level before to the level after.
    package var relative: Double
  }

  package let series: Series
  package let metric: String
  package private(set) var points: [Point] = []
  package private(set) var changes: [Change] = []
  /// Points with too few launches.
  package private(set) var thin = 0
  /// Columns that are held equal.
  package let mix: [String]
  /// The column that names the machine, if each machine counts once in a point.
  package let unit: String?
  /// Launches that do not count because they do not name their machine.
  package private(set) var withoutUnit = 0
  package let census: FleetCensus

  /// Launches of a point, below which it is left out.
  package static let leastOfPoint = 20
  /// Machines of a point, below which it is left out.
  package static var leastUnitsOfPoint: Int { UnitSums.least }
  /// A cohort with fewer launches than this has no median.
  package static let leastOfCohort = 30
  /// Launches of a point that the search looks at: more make it slow, and no surer.
  private static let mostOfPoint = 2000
  private static let standardMix = ["program", "end", "machine", "kind", "reason", "context", "os"]

  /// - Parameters:
  ///   - mix: columns to hold equal; nil for machine, kind, reason, context and os.
  ///   - unit: the column that names the machine; nil if all launches are independent.
  ///   - least: the smallest change that is reported: 0.02 is 2 %.
  /// - Throws: `FleetError` for a metric or a column that no record has.
  package init(
    _ table: FleetTable, by series: Series, metric: String = "total", mix: [String]? = nil, unit: String? = nil,
    least: Double = 0.02, tail: Double = 0.005
  ) throws(FleetError) {
    let column = try table.known(metric: metric)
    guard let points = table.label(series.rawValue), points.isUsed else {
      throw FleetError(.unknownColumn, message: "no record has a \(series.rawValue)")
    }
    for name in mix ?? [] where table.label(name)?.isUsed != true {
      throw table.unknown(column: name, option: "--mix: ")
    }
    let units = unit.flatMap(table.label)
    if let unit, units?.isUsed != true { throw table.unknown(column: unit, option: "--unit: ") }
    self.unit = unit
    (self.series, self.metric, census) = (series, metric, table.census)
    let columns = (mix ?? Self.standardMix).filter { $0 != series.rawValue && $0 != unit }.compactMap(table.label)
      .filter(\.isUsed)
    self.mix = columns.filter { $0.valueCount > 2 }.map(\.name)
    let residuals = Self.residuals(table, column, columns)
    let sorted = SortedRows(column.values)
    let counts = residuals.map { !$0.isNaN }
    if let units {
      withoutUnit = counts.indices.reduce(0) { $0 + (counts[$1] && units.codes[$1] == 0 ? column.records($1) : 0) }
    }
    var groups = RowGroups(table, where: counts.indices.map { counts[$0] && units?.codes[$0] != 0 })
    let names = groups.divide(by: points.codes).map { points.text($0.code) }
    func samples(_ groups: RowGroups) -> [PointSample] {
      var samples = [PointSample](repeating: PointSample(), count: groups.count)
      for row in 0..<table.count where groups.numbers[row] >= 0 {
        samples[Int(groups.numbers[row])].add(residuals[row], column.records(row), weight: Double(table.weights[row]))
      }
      return samples
    }
    let launches = samples(groups)
    let samples = units.map { Self.machines($0, groups, samples) } ?? launches
    let raw = GroupedSamples(column, sorted, groups, weights: table.sampleWeights)
    let order = SeriesOrder(series, names, groups, table)
    let known = names.indices.filter { !names[$0].isEmpty }.sorted(by: order.precedes)
    let kept = known.filter { samples[$0].count >= (units == nil ? Self.leastOfPoint : Self.leastUnitsOfPoint) }
    thin = known.count - kept.count
    let thinned = kept.map { samples[$0].thinned(to: Self.mostOfPoint) }
    self.points = zip(kept, thinned).map { group, sample in
      Point(
        name: names[group], launches: launches[group].count, quantile: raw[group].interval(0.5, tail: tail),
        level: Logarithm.inverse(Self.median(sample)))
    }
    changes = Self.changes(in: thinned, least: least)
  }

  /// Each machine counts once in a point, with the median of its launches there (D333).
  private static func machines(
    _ units: LabelColumn, _ points: RowGroups, _ samples: (RowGroups) -> [PointSample]
  ) -> [PointSample] {
    var machines = points
    let pairs = machines.divide(by: units.codes)
    var result = [PointSample](repeating: PointSample(), count: points.count)
    for (pair, sample) in zip(pairs, samples(machines)) {
      result[pair.parent].add(median(sample.thinned(to: mostOfPoint)), 1, weight: 1)
    }
    return result
  }

  /// Logarithms of the values over the medians of their cohorts; not a number where there is none. A value of 0 counts as the
  /// least that says something.
  private static func residuals(_ table: FleetTable, _ column: MetricColumn, _ columns: [LabelColumn]) -> [Double] {
    var cohorts = RowGroups(table)
    for label in columns { _ = cohorts.divide(by: label.codes) }
    let samples = GroupedSamples(column, SortedRows(column.values), cohorts, weights: table.sampleWeights)
    let least = column.isCount ? 1 : FleetSample.least
    let levels = (0..<cohorts.count).map { group in
      samples[group].count >= leastOfCohort ? Logarithm.of(max(samples[group].quantile(0.5), least)) : .nan
    }
    return column.values.indices.map { row in
      let value = Double(column.values[row])
      guard !value.isNaN, table.hasFailed(row) != true else { return .nan }
      return Logarithm.of(max(value, least)) - levels[Int(cohorts.numbers[row])]
    }
  }

  /// The changes of a series of points, each with the residuals of its launches.
  package static func changes(in samples: [[Double]], least: Double = 0.02) -> [Change] {
    let steps = StepSearch.steps(in: samples, prior: .ofFleets)
    let medians = samples.map(median)
    let places = [0] + steps.map(\.place) + [samples.count]
    return steps.enumerated().compactMap { number, step in
      let before = median(Array(medians[places[number]..<step.place]))
      let after = median(Array(medians[step.place..<places[number + 2]]))
      let relative = Logarithm.inverse(after - before) - 1
      guard abs(relative) >= least else { return nil }
      return Change(place: step.place, places: step.places, probabilities: step.probabilities, relative: relative)
    }
  }

  private static func median(_ values: [Double]) -> Double {
    QuantileInterval(values, fraction: 0.5, tail: 0.005).estimate
  }
}
