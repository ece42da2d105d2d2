// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Where the times of launches went to another level, day by day or version by version.
///
/// Each launch is set against the level of its cohort, so that another mix of machines is no change. The levels of cohorts and
/// of points are fitted at once (`LevelFit`).
package struct FleetChanges: Sendable {
  package enum Series: String, Sendable, CaseIterable { case day, version, build }

  package struct Point: Sendable {
    /// The day, or the version.
    package var name: String
    package var launches: Int
    /// The quantile of all launches, not like for like.
    package var quantile: FleetQuantile
    /// Against the cohorts' levels: 1.06 is 6 % above. nil if too few launches have similar launches in other points.
    package var level: Double?
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
  /// Where no change could be seen.
  package internal(set) var breaks: [Break] = []
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
  static let mostOfPoint = 2000
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
    let launches = SeriesLaunches(table, column, columns)
    self.mix = columns.filter(launches.isDivided).map(\.name)
    if let units {
      withoutUnit = launches.counted.reduce(0) { $0 + (units.codes[$1] == 0 ? column.records($1) : 0) }
    }
    let (groups, origins) = launches.rows(with: units).divided(by: points)
    let names = origins.map { points.text($0.code) }
    let raw = GroupedSamples(column, launches.order, groups, weights: table.sampleWeights)
    let order = SeriesOrder(series, names, groups, table)
    let known = names.indices.filter { !names[$0].isEmpty }.sorted(by: order.precedes)
    let sizes = launches.sizes(groups, units)
    let kept = known.filter { sizes[$0] >= (units == nil ? Self.leastOfPoint : Self.leastUnitsOfPoint) }
    thin = known.count - kept.count
    let ordered = groups.renumbered(kept)
    let like = LaunchesAlike(launches, ordered, units)
    let samples = like.samples.map { $0.thinned(to: Self.mostOfPoint) }
    self.points = zip(kept, samples).enumerated().map { place, point in
      Point(
        name: names[point.0], launches: like.hasLevel(place) ? like.launches[place] : raw[point.0].count,
        quantile: raw[point.0].interval(0.5, tail: tail),
        level: like.hasLevel(place) ? Logarithm.inverse(Self.median(point.1)) : nil)
    }
    changes = like.parts.flatMap { Self.changes(in: samples, of: $0, least: least) }
    breaks = like.breaks
  }

  /// The changes within a part of the series.
  private static func changes(
    in samples: [[Double]], of part: ConnectedPoints.Part, least: Double
  ) -> [Change] {
    changes(in: part.points.map { samples[$0] }, least: least).compactMap { change in
      // The search does not know of an error that all points after a change have in common.
      guard abs(Logarithm.of(1 + change.relative)) > ConnectedPoints.sure * part.errors[change.place] else {
        return nil
      }
      let (first, last) = (part.points[change.places.lowerBound], part.points[change.places.upperBound])
      var probabilities = [Double](repeating: 0, count: last - first + 1)
      for (place, probability) in zip(change.places, change.probabilities) {
        probabilities[part.points[place] - first] = probability
      }
      return Change(
        place: part.points[change.place], places: first...last, probabilities: probabilities, relative: change.relative)
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
