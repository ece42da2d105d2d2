// SPDX-License-Identifier: Apache-2.0

/// Which points of a series can be compared like for like: those that cohorts connect. Between the others, a change cannot be
/// told from another mix.
struct ConnectedPoints {
  /// Points, in the order of the series, that can be compared with each other.
  struct Part {
    var points: [Int]
    /// By point, the standard error of a change there that comes from the mix: few launches may connect the points after it
    /// with those before. All points after it have it in common. It is that of a logarithm.
    var errors: [Double]
  }

  private(set) var parts: [Part] = []
  /// By cell, the level of its cohort in its part; not a number for a cell that nothing connects.
  private(set) var levels: [Double]

  private let cells: [CohortCell]
  private let cohortCount: Int
  private let pointCount: Int
  /// The cells of each point, as they are.
  private let places: [[Int]]

  /// A cohort connects a point with others if it has so many launches there, or as many as in the point.
  private static var leastElsewhere: Int { FleetChanges.leastOfCohort }
  /// Launches that must be alike on both sides of a boundary: those of a cohort with 30 on each side count as 15.
  private static let leastBridge = 15.0
  /// Where more than this of what launches of one cohort would say is left, few others are missed.
  private static let leastPart = 0.25
  /// A change that must not hide behind few launches that are alike: 10 %.
  private static let mostHidden = 0.1
  /// Standard errors that a change must have.
  static let sure = 3.0
  /// The variance of one launch's median, where too few cells say it: launches of a cohort mostly differ by 30 %.
  private static let usualVariance = 0.14

  init(_ cells: [CohortCell], cohortCount: Int, pointCount: Int) {
    (self.cells, self.cohortCount, self.pointCount) = (cells, cohortCount, pointCount)
    levels = [Double](repeating: .nan, count: cells.count)
    var places = [[Int]](repeating: [], count: pointCount)
    for (place, cell) in cells.enumerated() { places[cell.point].append(place) }
    self.places = places
    var open = [Array(0..<pointCount)]
    while let points = open.popLast() {
      let (points, counted) = connected(points)
      guard points.count > 1 else { continue }
      let chosen = counted.map { cells[$0] }
      let bridges = bridges(points, chosen)
      func split(_ isWeak: (Bridge) -> Bool) -> Bool {
        let weak = bridges.indices.filter { bridges[$0].part < Self.leastPart && isWeak(bridges[$0]) }
        guard let place = weak.min(by: { bridges[$0].part < bridges[$1].part }) else { return false }
        open += [Array(points[(place + 1)...]), Array(points[...place])]
        return true
      }
      if split({ $0.similar < Self.leastBridge }) { continue }
      let fit = LevelFit(chosen, cohortCount: cohortCount, pointCount: pointCount)
      let variance = fit.variance ?? Self.usualVariance
      if split({ Self.sure * $0.error(variance) > Self.mostHidden }) { continue }
      parts.append(Part(points: points, errors: [0] + bridges.map { $0.error(variance) }))
      for place in counted { levels[place] = fit.cohorts[cells[place].cohort] }
    }
  }

  /// The points most of whose launches have similar launches in other points of these, and the cells of such launches.
  private func connected(_ points: [Int]) -> (points: [Int], cells: [Int]) {
    var (kept, counted) = (points, points.flatMap { places[$0] })
    while true {
      var sizes = [Int](repeating: 0, count: cohortCount)
      for place in counted { sizes[cells[place].cohort] += cells[place].launches }
      let next = counted.filter { place in
        let (launches, size) = (cells[place].launches, sizes[cells[place].cohort])
        return size >= FleetChanges.leastOfCohort && size - launches >= min(Self.leastElsewhere, launches)
      }
      var covered = [Int](repeating: 0, count: pointCount)
      for place in next { covered[cells[place].point] += cells[place].launches }
      let rest = kept.filter { point in
        2 * covered[point] >= places[point].reduce(0) { $0 + cells[$1].launches } && covered[point] > 0
      }
      let isKept = Set(rest)
      let left = next.filter { isKept.contains(cells[$0].point) }
      if left.count == counted.count { return (rest, left) }
      (kept, counted) = (rest, left)
    }
  }

  /// How well the points before and after each point, but the first one, are connected.
  private func bridges(_ points: [Int], _ chosen: [CohortCell]) -> [Bridge] {
    var byPoint: [Int: [CohortCell]] = [:]
    var totals = [Double](repeating: 0, count: cohortCount)
    for cell in chosen {
      byPoint[cell.point, default: []].append(cell)
      totals[cell.cohort] += cell.weight
    }
    let sum = totals.reduce(0, +)
    var before = [Double](repeating: 0, count: cohortCount)
    var (similar, passed) = (0.0, 0.0)
    var result: [Bridge] = []
    for point in points.dropLast() {
      for cell in byPoint[point] ?? [] {
        let (cohort, total) = (cell.cohort, totals[cell.cohort])
        similar -= before[cohort] * (total - before[cohort]) / total
        before[cohort] += cell.weight
        similar += before[cohort] * (total - before[cohort]) / total
        passed += cell.weight
      }
      result.append(Bridge(similar: max(0, similar), all: passed * (sum - passed) / sum))
    }
    return result
  }
}

/// How many launches say what a change at a point is: of n before and m after, nm / (n + m).
private struct Bridge {
  /// By cohort, added up.
  var similar: Double
  /// If all launches were of one cohort.
  var all: Double

  var part: Double { similar / all }

  /// The standard error that is there because not all launches are alike.
  func error(_ variance: Double) -> Double { max(0, variance / similar - variance / all).squareRoot() }
}
