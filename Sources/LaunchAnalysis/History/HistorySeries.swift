/// One metric over the commits, in the order in which they came into the history.
public struct HistorySeries: Sendable {
  public struct Point: Sendable, Equatable {
    public var commit: String
    /// Seconds since 1970 of its first launch.
    public var added: Int64
    public var launches: Int
    public var median: Double
    /// p10 and p90.
    public var low: Double
    public var high: Double
  }

  /// Where the level changes.
  public struct Change: Sendable, Equatable {
    /// Of `points`: the first one of the new level.
    public var place: Int
    /// Medians of the points' medians, up to the changes on both sides.
    public var before: Double
    public var after: Double
    public var probability: Double

    public var relative: Double { before == 0 ? .infinity : after / before - 1 }
  }

  public let metric: Metric
  public let points: [Point]

  /// - Parameter rows: of one key; launches that do not count, and those without the metric, are left out.
  public init(_ metric: Metric, of rows: [HistoryRow]) {
    self.metric = metric
    var order: [String] = []
    var byCommit: [String: [HistoryRow]] = [:]
    for row in rows where row.measurement.leftOut == nil && row.measurement.values[metric] != nil {
      if byCommit[row.commit] == nil { order.append(row.commit) }
      byCommit[row.commit, default: []].append(row)
    }
    points = order.map { commit in
      let launches = byCommit[commit] ?? []
      let values = launches.compactMap { $0.measurement.values[metric] }
      func quantile(_ fraction: Double) -> Double {
        QuantileInterval(values, fraction: fraction, tail: 0.005).estimate
      }
      return Point(
        commit: commit, added: launches[0].added, launches: values.count, median: quantile(0.5), low: quantile(0.1),
        high: quantile(0.9))
    }
  }

  /// The changes of the level that are larger than `least`, a part of it.
  public func changes(seed: UInt64, least: Double, significance: Double = 0.01) -> [Change] {
    let medians = points.map(\.median)
    let found = ChangePoints(seed: seed, significance: significance).changes(in: medians)
    let places = [0] + found.map(\.place) + [medians.count]
    return found.enumerated().compactMap { number, change in
      let before = medians[places[number]..<change.place]
      let after = medians[change.place..<places[number + 2]]
      let result = Change(
        place: change.place, before: Self.median(before), after: Self.median(after), probability: change.probability)
      return abs(result.relative) >= least ? result : nil
    }
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    QuantileInterval(Array(values), fraction: 0.5, tail: 0.005).estimate
  }
}
