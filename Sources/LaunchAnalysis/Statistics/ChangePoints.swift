/// Where a series changes its level: hierarchical division by the energy statistic, with a permutation test.
///
/// Matteson and James (2014), Journal of the American Statistical Association 109(505): E-divisive. The statistic is
/// that of the values' ranks, so that a single outlier is one rank among others, however far out it lies.
package struct ChangePoints: Sendable {
  package var seed: UInt64
  /// A change is one when permuted series show a statistic as large with at most this probability.
  package var significance: Double
  package var permutations: Int
  /// Values on each side of a change.
  package var leastSegment: Int

  package init(seed: UInt64, significance: Double = 0.01, permutations: Int = 499, leastSegment: Int = 3) {
    self.seed = seed
    self.significance = significance
    self.permutations = permutations
    self.leastSegment = max(2, leastSegment)
  }

  package struct Change: Sendable, Equatable {
    /// Place of the first value of the new level.
    package var place: Int
    /// Of the permutation test.
    package var probability: Double
    package var statistic: Double
  }

  /// The changes of a series of finite values, in its order.
  package func changes(in values: [Double]) -> [Change] {
    var random = SeededRandom(seed: seed)
    var changes: [Change] = []
    var open = [values.indices]
    while let segment = open.popLast() {
      guard segment.count >= 2 * leastSegment, let best = bestDivision(of: Array(values[segment])) else { continue }
      let probability = probability(of: best.statistic, in: Array(values[segment]), &random)
      guard probability <= significance else { continue }
      let place = segment.lowerBound + best.place
      changes.append(Change(place: place, probability: probability, statistic: best.statistic))
      open += [place..<segment.upperBound, segment.lowerBound..<place]
    }
    return changes.sorted { $0.place < $1.place }
  }

  /// Where the statistic is greatest, and what it is there; nil for a series that is too short or all the same.
  package func bestDivision(of values: [Double]) -> (place: Int, statistic: Double)? {
    let ranks = Ranks(values).doubled.map { Double($0) / 2 }
    guard Set(ranks).count > 1 else { return nil }
    return bestDivision(ranks: ranks)
  }

  private func probability(of statistic: Double, in values: [Double], _ random: inout SeededRandom) -> Double {
    var ranks = Ranks(values).doubled.map { Double($0) / 2 }
    var asLarge = 0
    for _ in 0..<permutations {
      random.shuffle(&ranks)
      if let permuted = bestDivision(ranks: ranks), permuted.statistic >= statistic { asLarge += 1 }
    }
    return Double(asLarge + 1) / Double(permutations + 1)
  }

  /// One walk over the places, keeping the sums of distances within and between both parts.
  private func bestDivision(ranks: [Double]) -> (place: Int, statistic: Double)? {
    let count = ranks.count
    guard count >= 2 * leastSegment else { return nil }
    var (withinLeft, withinRight, between) = (0.0, 0.0, 0.0)
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) { withinRight += abs(ranks[first] - ranks[second]) }
    }
    var best: (place: Int, statistic: Double)?
    for place in 1..<count {
      // The value before `place` moves from the right part to the left one.
      let moved = ranks[place - 1]
      let toLeft = ranks[..<(place - 1)].reduce(0) { $0 + abs($1 - moved) }
      let toRight = ranks[place...].reduce(0) { $0 + abs($1 - moved) }
      withinLeft += toLeft
      withinRight -= toRight
      between += toRight - toLeft
      guard place >= leastSegment, count - place >= leastSegment else { continue }
      let (n, m) = (Double(place), Double(count - place))
      let energy = 2 * between / (n * m) - withinLeft * 2 / (n * (n - 1)) - withinRight * 2 / (m * (m - 1))
      let statistic = n * m / (n + m) * energy
      if statistic > best?.statistic ?? -.infinity { best = (place, statistic) }
    }
    return best
  }
}
