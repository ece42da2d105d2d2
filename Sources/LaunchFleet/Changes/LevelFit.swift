// SPDX-License-Identifier: Apache-2.0

/// The launches of one cohort in one point.
struct CohortCell {
  var cohort: Int
  var point: Int
  /// The logarithm of their median.
  var level: Double
  /// How many launches say as much as these, or how many machines.
  var weight: Double
  var launches: Int
}

/// The levels of cohorts and of points at once: each cell is the sum of its cohort's level and its point's.
///
/// A cohort's median over all points would be that of the points in which it is mostly launched. If these are all after a
/// change, the cohort hides the change. So levels are fitted by weighted least squares, which takes each from the other.
struct LevelFit {
  /// By cohort; not a number for one without a cell.
  let cohorts: [Double]
  /// The variance of the level of one launch, by what cells differ from the fit; nil if there are not more cells than levels.
  let variance: Double?

  private static let precision = 1e-12
  private static let mostRounds = 500

  /// - Parameters:
  ///   - cells: of points that cohorts connect.
  ///   - cohortCount: numbers of cohorts are below.
  ///   - pointCount: numbers of points are below.
  init(_ cells: [CohortCell], cohortCount: Int, pointCount: Int) {
    let totals = Self.sums(cells, by: \.cohort, cohortCount, \.weight)
    func means(_ value: (CohortCell) -> Double) -> [Double] {
      zip(Self.sums(cells, by: \.cohort, cohortCount) { $0.weight * value($0) }, totals).map { $0 / $1 }
    }
    /// What each point has beyond the means of its cohorts.
    func excess(_ value: (CohortCell) -> Double) -> [Double] {
      let means = means(value)
      return Self.sums(cells, by: \.point, pointCount) { $0.weight * (value($0) - means[$0.cohort]) }
    }
    let scale = Self.sums(cells, by: \.point, pointCount) { $0.weight * (1 - $0.weight / totals[$0.cohort]) }
    var points = Self.solved(excess(\.level), scale) { points in excess { points[$0.point] } }
    // Only differences are known. The mean of all launches is the level 0.
    let sum = cells.reduce(0) { $0 + $1.weight }
    let mean = cells.reduce(0) { $0 + $1.weight * points[$1.point] } / max(sum, .leastNormalMagnitude)
    points = points.map { $0 - mean }
    let levels = means { $0.level - points[$0.point] }
    let freedom = cells.count - totals.count { $0 > 0 } - Set(cells.map(\.point)).count + 1
    let square = cells.reduce(0) { sum, cell in
      let rest = cell.level - levels[cell.cohort] - points[cell.point]
      return sum + cell.weight * rest * rest
    }
    cohorts = levels
    variance = freedom > 0 ? square / Double(freedom) : nil
  }

  private static func sums(
    _ cells: [CohortCell], by key: (CohortCell) -> Int, _ count: Int, _ value: (CohortCell) -> Double
  ) -> [Double] {
    var result = [Double](repeating: 0, count: count)
    for cell in cells { result[key(cell)] += value(cell) }
    return result
  }

  /// Conjugate gradients, which need at most as many rounds as there are points, and mostly far fewer.
  private static func solved(
    _ wanted: [Double], _ scale: [Double], _ product: ([Double]) -> [Double]
  ) -> [Double] {
    func sum(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
    func scaled(_ rest: [Double]) -> [Double] { zip(rest, scale).map { $1 > 0 ? $0 / $1 : 0 } }
    var result = [Double](repeating: 0, count: wanted.count)
    var (rest, direction) = (wanted, scaled(wanted))
    var square = sum(rest, direction)
    let enough = square * precision * precision
    for _ in 0..<min(wanted.count + 10, mostRounds) where square > enough {
      let image = product(direction)
      let curvature = sum(direction, image)
      guard curvature > 0 else { break }
      let step = square / curvature
      for place in result.indices {
        result[place] += step * direction[place]
        rest[place] -= step * image[place]
      }
      let next = scaled(rest)
      let former = square
      square = sum(rest, next)
      direction = zip(next, direction).map { $0 + square / former * $1 }
    }
    return result
  }
}
