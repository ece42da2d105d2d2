// SPDX-License-Identifier: Apache-2.0

/// Parts that may be one part with a new name: the base has one, the head the other, and both take about the same time.
enum Renaming {
  /// The largest difference of their times, relative.
  private static let tolerance = 0.1
  /// All are compared with each other, so only the longest are.
  private static let most = 200

  /// Places in both arrays. Those whose times differ least come first. Each place is in one pair.
  static func pairs(gone: [Double], new: [Double]) -> [(gone: Int, new: Int)] {
    func longest(_ times: [Double]) -> some Sequence<Int> {
      times.indices.sorted { (times[$1], $0) < (times[$0], $1) }.prefix(most)
    }
    var candidates: [(difference: Double, gone: Int, new: Int)] = []
    for old in longest(gone) {
      for other in longest(new) {
        let difference = abs(gone[old] - new[other])
        if difference <= max(gone[old], new[other]) * tolerance { candidates.append((difference, old, other)) }
      }
    }
    var (usedGone, usedNew) = (Set<Int>(), Set<Int>())
    return candidates.sorted { ($0.difference, $0.gone, $0.new) < ($1.difference, $1.gone, $1.new) }.compactMap {
      pair in
      guard !usedGone.contains(pair.gone), !usedNew.contains(pair.new) else { return nil }
      usedGone.insert(pair.gone)
      usedNew.insert(pair.new)
      return (pair.gone, pair.new)
    }
  }
}

extension LaunchComparison {
  /// Phases and intervals that may be one under two names.
  package var renamed: [(old: MetricComparison, new: MetricComparison)] {
    [Metric.Group.phase, .interval].flatMap { group in
      let parts = parts.filter { $0.metric.group == group }
      let (gone, new) = (parts.filter { $0.presence == .baseOnly }, parts.filter { $0.presence == .headOnly })
      return Renaming.pairs(gone: gone.map(\.shift.base), new: new.map { $0.shift.base + $0.shift.estimate.absolute })
        .map { (gone[$0.gone], new[$0.new]) }
    }
  }
}
