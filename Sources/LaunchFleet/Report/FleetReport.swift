// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// How long launches took that completed, by group: quantiles with intervals, for the launch and each phase.
package struct FleetReport: Sendable {
  package struct Metric: Sendable {
    /// `total`, `phase/…`.
    package var name: String
    /// Records that have it.
    package var count: Int
    /// The launches that these represent.
    package var launches: Double
    /// As `FleetReport.fractions`.
    package var quantiles: [FleetQuantile]
  }

  package struct Group: Sendable {
    /// As `by`; empty for "not known".
    package var values: [String]
    /// The launches that its records represent.
    package var launches: Double
    /// Launches that did not complete; nil when all are of histograms, which have none of them.
    package var failed: Proportion?
    /// Launches within the budget that they had; nil when none had one.
    package var within: Proportion?
    package var total: Metric?
    /// Ordered as the launches have them.
    package var phases: [Metric]
  }

  package static let fractions = [0.5, 0.75, 0.9, 0.95, 0.99]

  package let by: [String]
  package let groups: [Group]
  /// Groups beyond those that are listed.
  package private(set) var leftOut = 0
  package let census: FleetCensus
  package let confidence: Double
  package let filter: FleetFilter
  package let isWeighted: Bool
  /// The end milestones of the launches, and their programs.
  package let ends: [String]
  package let programs: [String]
  /// The contexts of the launches, if those without a person count with others.
  package let mixedContexts: [String]

  /// Of all groups, also those that are left out; weighted.
  package let launches: Double
  /// Of these, the launches that did not complete.
  package let failed: Double

  package static let mostGroups = 1000

  /// - Parameters:
  ///   - by: columns of the table; none for one group.
  ///   - tail: the error allowed on each side of an interval.
  /// - Throws: `FleetError` for a column that no record has.
  package init(
    _ table: FleetTable, by: [String], filter: FleetFilter = FleetFilter(), metrics: [String] = [], tail: Double
  ) throws(FleetError) {
    (self.by, self.filter, census, confidence) = (by, filter, table.census, 1 - 2 * tail)
    isWeighted = table.isWeighted
    ends = table.values(of: "end")
    programs = table.values(of: "program")
    mixedContexts = by.contains("context") ? [] : table.mixedContexts()
    for name in metrics { _ = try table.known(metric: name) }
    var rows = RowGroups(table)
    var keys = [[String]](repeating: [], count: 1)
    for name in by {
      guard let column = table.label(name), column.isUsed || table.count == 0 else { throw table.unknown(column: name) }
      let (divided, origins) = (consume rows).divided(by: column)
      (rows, keys) = (divided, origins.map { keys[$0.parent] + [column.text($0.code)] })
    }
    guard table.count > 0 else {
      (groups, launches, failed) = ([], 0, 0)
      return
    }
    let all = Self.groups(table, rows, keys, tail)
    launches = all.reduce(0) { $0 + $1.launches }
    failed = (0..<table.count).reduce(0) { sum, row in
      table.hasFailed(row) == true ? sum + Double(table.weights[row]) * Double(table.records(row)) : sum
    }
    let kept = all.count > Self.mostGroups ? Self.largest(all) : all
    groups = kept.sorted { CountingOrder.releasesPrecede($0.values, $1.values) }
    leftOut = all.count - groups.count
  }

  /// The groups with the most launches. Of equal ones, those whose names come first.
  private static func largest(_ groups: [Group]) -> [Group] {
    let sorted = groups.sorted { left, right in
      left.launches == right.launches
        ? CountingOrder.releasesPrecede(left.values, right.values) : left.launches > right.launches
    }
    return Array(sorted.prefix(mostGroups))
  }

  private static func groups(_ table: FleetTable, _ rows: RowGroups, _ keys: [[String]], _ tail: Double) -> [Group] {
    let none = [WeightedShare](repeating: WeightedShare(), count: rows.count)
    var (failed, within, launches) = (none, none, [Double](repeating: 0, count: rows.count))
    for row in 0..<table.count {
      let (group, weight, count) = (Int(rows.numbers[row]), Double(table.weights[row]), table.records(row))
      launches[group] += weight * Double(count)
      if let hasFailed = table.hasFailed(row) { failed[group].add(hasFailed, weight: weight, records: count) }
      if table.withinBudget[row] != 0 {
        within[group].add(table.withinBudget[row] == 1, weight: weight, records: count)
      }
    }
    var metrics = [[Metric]](repeating: [], count: rows.count)
    let (completed, weights) = (rows.completed(in: table), table.sampleWeights)
    for column in table.metrics {
      let samples = GroupedSamples(column, SortedRows(column.values), completed, weights: weights)
      for group in 0..<rows.count where samples[group].count > 0 {
        let (sample, name) = (samples[group], column.name)
        let quantiles = fractions.map { sample.interval($0, tail: tail) }
        metrics[group].append(Metric(name: name, count: sample.count, launches: sample.total, quantiles: quantiles))
      }
    }
    return (0..<rows.count).map { group in
      Group(
        values: keys[group], launches: launches[group], failed: failed[group].proportion(tail: tail),
        within: within[group].proportion(tail: tail), total: metrics[group].first { $0.name == "total" },
        phases: metrics[group].filter { $0.name != "total" }.sorted { MetricColumn.precedes($0.name, $1.name) })
    }
  }
}

extension FleetTable {
  /// The known values of a column that launches have, in the order of their first record.
  ///
  /// - Parameter rows: which launches; nil for all.
  package func values(of name: String, where rows: [Bool]? = nil) -> [String] {
    guard let column = label(name) else { return [] }
    var isThere = [Bool](repeating: false, count: Int(LabelColumn.other) + 1)
    for (row, code) in column.codes.enumerated() where rows?[row] != false { isThere[Int(code)] = true }
    return isThere.indices.dropFirst().filter { isThere[$0] }.map { column.text(UInt16($0)) }
  }

  /// The contexts of the launches; none if they are not mixed in a way in which other statistics never mix them (D5).
  func mixedContexts(where rows: [Bool]? = nil) -> [String] {
    let contexts = values(of: "context", where: rows)
    let isMixed = contexts.count > 1 && contexts.contains { LaunchSet.LeftOut(kind: nil, context: $0) != nil }
    return isMixed ? contexts : []
  }
}
