// SPDX-License-Identifier: Apache-2.0

extension FleetChanges {
  /// Where the launches become others, so that a change there cannot be told from another mix.
  package struct Break: Sendable {
    /// A column whose values have other shares after the break than before it.
    package struct Difference: Sendable {
      package var column: String
      /// The value whose share grows most, and its share of the launches before and after; an empty one is not known.
      package var value: String
      package var before: Double
      package var after: Double
      fileprivate var distance: Double
    }

    /// The first point after it.
    package var place: Int
    /// Those that differ most first.
    package var differences: [Difference]
    /// The change of the quantile of all launches, from the part before to the part after; nil if it was 0.
    package var raw: Double?
  }

  private static let leastDistance = 0.5
  private static let mostDifferences = 3

  /// What differs between each part of a series and the next one.
  ///
  /// - Parameters:
  ///   - parts: the part of each row that counts.
  ///   - places: the first point of each part.
  static func breaks(_ launches: SeriesLaunches, _ parts: RowGroups, _ places: [Int]) -> [Break] {
    let (table, columns) = (launches.table, launches.columns)
    let samples = GroupedSamples(launches.column, launches.order, parts, weights: table.sampleWeights)
    let shares = columns.map { Self.shares($0, table, parts) }
    return places.indices.dropFirst().map { part in
      let (before, after) = (samples[part - 1].quantile(0.5), samples[part].quantile(0.5))
      let differences = zip(columns, shares).compactMap { column, shares in
        difference(column, shares[part - 1], shares[part])
      }
      return Break(
        place: places[part],
        differences: Array(differences.sorted { $0.distance > $1.distance }.prefix(mostDifferences)),
        raw: before > 0 ? after / before - 1 : nil)
    }
  }

  /// By part, the share of each code of a column.
  private static func shares(_ column: LabelColumn, _ table: FleetTable, _ parts: RowGroups) -> [[UInt16: Double]] {
    var sums = [[UInt16: Double]](repeating: [:], count: parts.count)
    for row in 0..<table.count where parts.numbers[row] >= 0 {
      sums[Int(parts.numbers[row])][column.codes[row], default: 0] +=
        Double(table.weights[row]) * Double(table.records(row))
    }
    return sums.map { sums in
      let all = sums.values.reduce(0, +)
      return sums.mapValues { $0 / all }
    }
  }

  private static func difference(
    _ column: LabelColumn, _ before: [UInt16: Double], _ after: [UInt16: Double]
  ) -> Break.Difference? {
    let growth = Set(before.keys).union(after.keys).map { ($0, (after[$0] ?? 0) - (before[$0] ?? 0)) }
    let distance = growth.reduce(0) { $0 + abs($1.1) } / 2
    guard distance >= leastDistance, let (code, _) = growth.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }) else { return nil }
    return Break.Difference(
      column: column.name, value: column.text(code), before: before[code] ?? 0, after: after[code] ?? 0,
      distance: distance)
  }
}
