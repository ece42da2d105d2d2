// SPDX-License-Identifier: Apache-2.0

/// How much the launches of neighbouring commits in a history differ. Few commits change the launch, so this is mostly
/// how much two sessions on this machine differ (D323).
package struct CommitSpread: Sendable, Equatable {
  /// Fewer commits say too little.
  package static let leastCommits = 8
  /// The latest ones, because machines change.
  package static let mostCommits = 40

  /// Of each metric: the differences between the logarithms of neighbouring commits' medians.
  private let differences: [Metric: [Double]]

  /// - Parameter rows: of one series, in the order in which they were added.
  package init(_ rows: [HistoryRow]) {
    let counted = rows.filter { $0.measurement.leftOut == nil }
    let latest = counted.grouped(by: \.commit).suffix(Self.mostCommits)
    let sets = latest.map { $0.members.map(\.measurement) }
    let metrics = Set(sets.joined().flatMap { $0.values.keys.filter { $0.unit == .nanoseconds } })
    let known = Set(latest.map(\.key))
    let changes = HistorySeries(.total, of: rows.filter { known.contains($0.commit) }).changes(least: 0)
    let changed = Set(changes.flatMap(\.places))
    differences = Dictionary(uniqueKeysWithValues: metrics.map { ($0, Self.differences(of: $0, sets, changed)) })
  }

  /// nil if too few commits have the metric in each launch.
  package func measured(_ metric: Metric) -> SessionSpread.Measured? {
    guard let differences = differences[metric], differences.count + 1 >= Self.leastCommits else { return nil }
    let count = Double(differences.count)
    let square = differences.reduce(0) { $0 + $1 * $1 } / count
    // Neighbouring differences share a commit, so they are worth two thirds of as many independent ones: von Neumann et
    // al. (1941), The mean square successive difference, Annals of Mathematical Statistics 12(2).
    return .init(deviation: square.squareRoot(), freedom: count * 2 / 3, commits: differences.count + 1)
  }

  /// - Parameter changed: the commits that may have changed the launch. Their differences are not those of sessions.
  private static func differences(of metric: Metric, _ sets: [[Measurement]], _ changed: Set<Int>) -> [Double] {
    let medians = sets.enumerated().compactMap { place, set -> (place: Int, value: Double)? in
      let values = set.compactMap { $0.values[metric] }
      guard values.count == set.count, values.allSatisfy({ $0 > 0 }) else { return nil }
      return (place, Logarithm.of(SessionBootstrap.median(values)))
    }
    let pairs = Array(zip(medians, medians.dropFirst()))
    let unchanged = pairs.filter { before, after in
      !(before.place + 1...after.place).contains(where: changed.contains)
    }
    return (unchanged.count + 1 < leastCommits ? pairs : unchanged).map { $1.value - $0.value }
  }
}
