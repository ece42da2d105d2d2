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
    var groups = RowGroups(
      table, where: column.values.indices.map { !column.values[$0].isNaN && table.hasFailed($0) != true })
    for label in columns { _ = groups.divide(by: label.codes) }
    var sizes = [Int](repeating: 0, count: groups.count)
    for row in 0..<table.count where groups.numbers[row] >= 0 { sizes[Int(groups.numbers[row])] += column.records(row) }
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
    var sizes = [Int](repeating: 0, count: points.count)
    if let units {
      var machines = points
      for pair in machines.divide(by: units.codes) { sizes[pair.parent] += 1 }
    } else {
      for row in 0..<table.count where points.numbers[row] >= 0 {
        sizes[Int(points.numbers[row])] += column.records(row)
      }
    }
    return sizes
  }

  /// The logarithm of a row's value.
  func logarithm(_ row: Int) -> Double { Logarithm.of(max(Double(column.values[row]), column.least)) }
}
