// SPDX-License-Identifier: Apache-2.0

/// Launches with the same values of all columns, as the server counted them.
struct ClickHouseCell {
  var labels: [String] = []
  var outcome: UInt8
  var withinBudget: UInt8
  var hasTotal: Bool
  var weight: UInt32
  var launches: UInt32
  /// Bins, and the launches in each.
  var metrics: [(name: String, bins: [UInt32], counts: [UInt32])] = []

  init(_ rows: inout RowBinary, columns: Int) throws(FleetError) {
    for _ in 0..<columns { labels.append(try rows.text()) }
    outcome = UInt8(truncatingIfNeeded: try rows.number())
    withinBudget = UInt8(truncatingIfNeeded: try rows.number())
    hasTotal = try rows.number() != 0
    weight = try rows.number()
    launches = try rows.number()
    for _ in 0..<(try rows.count()) { metrics.append((try rows.text(), try rows.numbers(), try rows.numbers())) }
  }
}

/// Makes a table of cells. The rows of a cell have the bins of its metrics, side by side, and its first row has the launches.
struct CountedTable {
  private var table = FleetTable()
  private var places: [String: Int] = ["total": 0]

  init(_ columns: [String]) {
    table.labels = columns.map { LabelColumn($0) }
    table.metrics = [MetricColumn(name: "total")]
  }

  mutating func add(_ cell: ClickHouseCell) {
    let first = table.count
    let size = max(1, cell.metrics.map { min($0.bins.count, $0.counts.count) }.max() ?? 1)
    table.count += size
    for (place, text) in cell.labels.enumerated() {
      let code = Array(text.utf8).withUnsafeBytes { table.labels[place].code($0) }
      table.labels[place].codes += repeatElement(code, count: size)
    }
    table.counts += [cell.launches] + repeatElement(0, count: size - 1)
    table.weights += repeatElement(Float(max(1, cell.weight)), count: size)
    table.outcomes += repeatElement(cell.outcome, count: size)
    table.withinBudget += repeatElement(cell.withinBudget, count: size)
    for place in table.metrics.indices { pad(place) }
    // Every row of a launch with a total says that there is one.
    if cell.hasTotal { for row in first..<table.count { table.metrics[0].values[row] = 0 } }
    for metric in cell.metrics {
      guard let place = place(of: metric.name) else { continue }
      for (row, (bin, count)) in zip(metric.bins, metric.counts).enumerated() {
        table.metrics[place].values[first + row] = TimeBin.lower(bin)
        table.metrics[place].counts[first + row] = count
      }
    }
    table.census.launches += Int(cell.launches)
  }

  private mutating func pad(_ place: Int) {
    let missing = table.count - table.metrics[place].values.count
    table.metrics[place].values += repeatElement(.nan, count: missing)
    table.metrics[place].counts += repeatElement(0, count: missing)
  }

  private mutating func place(of key: String) -> Int? {
    if let place = places[key] { return place }
    guard let name = FleetTableBuilder.metric(ofKey: key) else { return nil }
    guard table.metrics.count < FleetTableBuilder.mostMetrics else {
      table.census.droppedMetrics += 1
      return nil
    }
    places[key] = table.metrics.count
    table.metrics.append(MetricColumn(name: name))
    pad(table.metrics.count - 1)
    return table.metrics.count - 1
  }

  /// Metrics in the order of their names, behind the total.
  func finished() -> FleetTable {
    var table = table
    table.metrics[1...].sort { $0.name < $1.name }
    (table.census.lines, table.census.isBinned) = (table.census.launches, true)
    return table
  }
}
