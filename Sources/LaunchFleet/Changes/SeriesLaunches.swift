// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The launches of a series that count: they completed, have the metric, and are of a cohort with enough launches.
struct SeriesLaunches {
  let table: FleetTable
  let column: MetricColumn
  /// Those that make cohorts.
  let columns: [LabelColumn]
  let order: SortedRows
  /// Of rows that count; −1 for others.
  let cohorts: RowGroups

  init(_ table: FleetTable, _ column: MetricColumn, _ columns: [LabelColumn]) {
    (self.table, self.column, self.columns, order) = (table, column, columns, SortedRows(column.values))
    let groups = RowGroups(
      table, where: column.values.indices.map { !column.values[$0].isNaN && table.hasFailed($0) != true }
    ).divided(by: columns)
    let sizes = groups.records(of: column)
    cohorts = groups.renumbered(groups.indices.filter { sizes[$0] >= FleetChanges.leastOfCohort })
  }

  /// The rows that count.
  var counted: [Int] { (0..<table.count).filter { cohorts.numbers[$0] >= 0 } }

  /// Whether the launches that count have several values of a column, or some have none.
  func isDivided(by column: LabelColumn) -> Bool {
    var first: UInt16?
    for row in 0..<table.count where cohorts.numbers[row] >= 0 {
      guard let known = first else {
        first = column.codes[row]
        continue
      }
      if column.codes[row] != known { return true }
    }
    return false
  }

  /// The rows that count in one group, without those that do not say of which machine they are.
  func rows(with units: LabelColumn?) -> RowGroups {
    RowGroups(table, where: (0..<table.count).map { cohorts.numbers[$0] >= 0 && units?.codes[$0] != 0 })
  }

  /// By point, how many launches it has; with `units`, how many machines.
  func sizes(_ points: RowGroups, _ units: LabelColumn?) -> [Int] {
    guard let units else { return points.records(of: column) }
    var sizes = [Int](repeating: 0, count: points.count)
    for pair in points.divided(by: units).origins { sizes[pair.parent] += 1 }
    return sizes
  }

  /// The logarithm of a row's value.
  func logarithm(_ row: Int) -> Double { Logarithm.of(max(Double(column.values[row]), column.least)) }
}
