// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The launches of each point of a series, each against the level of its cohort.
struct LaunchesAlike {
  /// By point. Empty for a point that cannot be compared.
  let samples: [PointSample]
  /// By point, the launches in its sample.
  let launches: [Int]
  let parts: [ConnectedPoints.Part]
  let breaks: [FleetChanges.Break]

  /// - Parameters:
  ///   - points: the rows of each point, in the order of the series.
  ///   - units: the machine of each launch, if each machine counts once in a point.
  init(_ launches: SeriesLaunches, _ points: RowGroups, _ units: LabelColumn?) {
    let (table, column) = (launches.table, launches.column)
    let cells = CohortCells(launches, points, units)
    let connected = ConnectedPoints(cells.cells, cohortCount: launches.cohorts.count, pointCount: points.count)
    parts = connected.parts.sorted { ($0.points.first ?? 0) < ($1.points.first ?? 0) }
    let rest = (0..<table.count).map { row in
      let cell = cells.numbers[row]
      return cell < 0 ? .nan : launches.logarithm(row) - connected.levels[Int(cell)]
    }
    func samples(_ groups: RowGroups) -> [PointSample] {
      var samples = [PointSample](repeating: PointSample(), count: groups.count)
      for row in 0..<table.count where groups.numbers[row] >= 0 && !rest[row].isNaN {
        samples[Int(groups.numbers[row])].add(rest[row], column.records(row), weight: Double(table.weights[row]))
      }
      return samples
    }
    let all = samples(points)
    self.launches = all.map(\.count)
    if let units {
      let (machines, pairs) = points.divided(by: units)
      self.samples = Self.machines(pairs.map(\.parent), samples(machines), points.count)
    } else {
      self.samples = all
    }
    var partOfPoint = [Int32](repeating: -1, count: points.count)
    for (number, part) in parts.enumerated() { for point in part.points { partOfPoint[point] = Int32(number) } }
    let groups = RowGroups(
      numbers: points.numbers.map { $0 < 0 ? -1 : partOfPoint[Int($0)] }, count: parts.count)
    breaks = FleetChanges.breaks(launches, groups, parts.compactMap(\.points.first))
  }

  /// Each machine counts once in a point, with the median of its launches there (D333).
  private static func machines(_ points: [Int], _ samples: [PointSample], _ count: Int) -> [PointSample] {
    var result = [PointSample](repeating: PointSample(), count: count)
    for (point, sample) in zip(points, samples) where sample.count > 0 {
      let values = sample.thinned(to: FleetChanges.mostOfPoint)
      result[point].add(QuantileInterval(values, fraction: 0.5, tail: 0.005).estimate, 1, weight: 1)
    }
    return result
  }

  /// Whether a point can be compared with others.
  func hasLevel(_ point: Int) -> Bool { launches[point] > 0 }
}
