// SPDX-License-Identifier: Apache-2.0

/// One metric over the commits, in the order of their first rows.
package struct HistorySeries: Sendable {
  package struct Point: Sendable, Equatable {
    package var commit: String
    /// Seconds since 1970 of its first launch.
    package var added: Int64
    package var launches: Int
    package var median: Double
    /// p10 and p90.
    package var low: Double
    package var high: Double
  }

  /// Where the level changes.
  package struct Change: Sendable, Equatable {
    /// Index in `points` of the most probable first point of the new level.
    package var place: Int
    /// One of these is the first of the new level, with 99 % confidence.
    package var places: ClosedRange<Int>
    /// How probable each of `places` is, by the launches.
    package var probabilities: [Double]
    /// Medians of the points' medians, up to the changes on both sides.
    package var levels: Levels
    /// The levels of the CPU time, if it shows the change of the total (D45, D231).
    package var cpu: Levels?
    /// In what else the launches before and after differ. It may be the reason for the change.
    package var surroundings: [HistorySurroundings.Difference] = []

    package struct Levels: Sendable, Equatable {
      package var before: Double
      package var after: Double

      package var relative: Double { before == 0 ? .infinity : after / before - 1 }
    }

    /// Whether the CPU time says how large it is: other work on the machine hides it in the total, which changed less, or
    /// in the other direction.
    package var isSizeOfCPU: Bool {
      guard let cpu else { return false }
      return abs(cpu.relative) > abs(levels.relative) || (cpu.relative < 0) != (levels.relative < 0)
    }
    package var relative: Double { (isSizeOfCPU ? cpu ?? levels : levels).relative }
    /// Whether the launches leave one commit only.
    package var isCertain: Bool { places.count == 1 }
  }

  package let metric: Metric
  /// Whose launches they are; empty without launches.
  package let title: String
  package let points: [Point]
  /// The commits whose launches count, but none has the metric, for example because none reached the milestone.
  package let unmeasured: [String]
  /// The latest commit with launches that count; nil if there is none.
  package let latest: String?
  /// Whether it is one of `unmeasured`.
  package var isLatestUnmeasured: Bool { latest != points.last?.commit }
  /// The launches of each point.
  private let samples: [[Double]]
  /// Where the launches of each point were made.
  private let surroundings: HistorySurroundings
  /// The CPU times of the points, which may decide for the total if they are those of the launches.
  private let cpu: [[Double]]?
  /// What says whether the machine was busier at some points; nil if a launch lacks it.
  private let waiting: WaitingTimes?

  /// - Parameter rows: of one key; launches that do not count, and those without the metric, are left out.
  package init(_ metric: Metric, of rows: [HistoryRow]) {
    self.metric = metric
    title = rows.first.map { Self.title($0.key, of: rows) } ?? ""
    var commits = rows.lazy.filter { $0.measurement.leftOut == nil }.grouped(by: \.commit)
    for place in commits.indices { commits[place].members.removeAll { $0.measurement.values[metric] == nil } }
    latest = commits.last?.key
    unmeasured = commits.filter(\.members.isEmpty).map(\.key)
    let launches = commits.map(\.members).filter { !$0.isEmpty }
    surroundings = HistorySurroundings(launches.map { $0.map(\.measurement.provenance) })
    samples = launches.map { $0.compactMap { $0.measurement.values[metric] } }
    let times = launches.map { rows in rows.map { $0.measurement.isCPUOfLaunch ? $0.measurement.values[.cpu] ?? 0 : 0 }
    }
    waiting = metric.group != .resource ? WaitingTimes(launches.map { $0.map(\.measurement) }) : nil
    cpu = metric == .total && times.joined().allSatisfy { $0 > 0 } ? times : nil
    points = zip(launches, samples).map { rows, values in
      let sorted = values.sorted()
      func quantile(_ fraction: Double) -> Double { SessionBootstrap.quantile(sorted, fraction) }
      return Point(
        commit: rows[0].commit, added: rows[0].added, launches: values.count, median: quantile(0.5),
        low: quantile(0.1), high: quantile(0.9))
    }
  }

  /// `notes on build-7, release`, and what launches they are if they are not usual ones: `…, background launches`.
  private static func title(_ key: HistoryKey, of rows: [HistoryRow]) -> String {
    let population = Measurement.population(rows.lazy.map(\.measurement))
    return key.title + (population.map { ", \($0.launches)" } ?? "")
  }

  /// The changes of the level that are larger than `least`, a part of it.
  package func changes(least: Double) -> [Change] {
    let found = StepSearch.steps(in: scaled, companion: cpu?.map { $0.map(Logarithm.of) }, isOfOneMachine: true)
    let medians = points.map(\.median)
    let places = [0] + found.map(\.place) + [medians.count]
    let companion = cpu?.map(SessionBootstrap.median)
    return found.enumerated().compactMap { number, step in
      func levels(_ medians: [Double]) -> Change.Levels {
        Change.Levels(
          before: SessionBootstrap.median(Array(medians[places[number]..<step.place])),
          after: SessionBootstrap.median(Array(medians[step.place..<places[number + 2]])))
      }
      let own = levels(medians)
      let cpu = step.isOfCompanion ? companion.map(levels) : nil
      // Other work on the machine may hide in the total what the CPU time shows.
      guard max(abs(own.relative), abs(cpu?.relative ?? 0)) >= least else { return nil }
      // A neighbour that had the processor all the time scatters nothing.
      if cpu == nil, waiting?.explains(own.after - own.before, levels) == true { return nil }
      // Steps that were found inside of what this one divides may be among its places.
      let (first, end) = (places[number], places[number + 2])
      let others = surroundings.differences(
        between: first..<max(first, step.places.lowerBound), and: min(end, step.places.upperBound)..<end)
      return Change(
        place: step.place, places: step.places, probabilities: step.probabilities, levels: own, cpu: cpu,
        surroundings: others)
    }
  }

  /// Logarithms; of counts with zeros among them, parts of their mean.
  private var scaled: [[Double]] {
    let all = samples.joined()
    if all.allSatisfy({ $0 > 0 }) { return samples.map { $0.map(Logarithm.of) } }
    let mean = all.reduce(0) { $0 + abs($1) } / Double(max(1, all.count))
    return samples.map { $0.map { mean > 0 ? $0 / mean : 0 } }
  }
}

extension HistorySeries.Change {
  /// The changes of a series that `earlier`, its beginning, does not show. A change is found some commits later, so its commit
  /// may be in both.
  package static func new(_ changes: [Self], since earlier: HistorySeries, least: Double) -> [Self] {
    let known = earlier.changes(least: least)
    return changes.filter { change in
      change.place >= earlier.points.count || !known.contains { $0.isProbably(change) }
    }
  }

  /// Whether both are probably the same change. More launches may move it, but two changes are never so near to each other.
  private func isProbably(_ other: Self) -> Bool {
    (relative > 0) == (other.relative > 0)
      && (abs(place - other.place) < StepSearch.leastSegment || places.overlaps(other.places))
  }
}
