// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The launches of a series by cohort and point.
struct CohortCells {
  let cells: [CohortCell]
  /// The cell of each row; −1 for none.
  let numbers: [Int32]

  /// - Parameters:
  ///   - points: the rows of each point.
  ///   - units: the machine of each launch, if each machine counts once in a point; nil if launches are independent.
  init(_ launches: SeriesLaunches, _ points: RowGroups, _ units: LabelColumn?) {
    let (table, column, cohorts) = (launches.table, launches.column, launches.cohorts)
    let groups = points.divided(by: launches.columns)
    numbers = groups.numbers
    var cells = [CohortCell](
      repeating: CohortCell(cohort: 0, point: 0, level: .nan, weight: 0, launches: 0), count: groups.count)
    for row in 0..<table.count where groups.numbers[row] >= 0 {
      let cell = Int(groups.numbers[row])
      (cells[cell].cohort, cells[cell].point) = (Int(cohorts.numbers[row]), Int(points.numbers[row]))
      cells[cell].launches += column.records(row)
    }
    func level(_ sample: FleetSample) -> Double { Logarithm.of(max(sample.quantile(0.5), column.least)) }
    if let units {
      let (machines, pairs) = groups.divided(by: units)
      let samples = GroupedSamples(column, launches.order, machines, weights: table.sampleWeights)
      var levels = [[Double]](repeating: [], count: groups.count)
      for (number, pair) in pairs.enumerated() { levels[pair.parent].append(level(samples[number])) }
      for cell in cells.indices {
        cells[cell].level = QuantileInterval(levels[cell], fraction: 0.5, tail: 0.005).estimate
        cells[cell].weight = Double(levels[cell].count)
      }
    } else {
      let samples = GroupedSamples(column, launches.order, groups, weights: table.sampleWeights)
      for cell in cells.indices {
        (cells[cell].level, cells[cell].weight) = (level(samples[cell]), samples[cell].effectiveCount)
      }
    }
    self.cells = cells
  }
}

extension MetricColumn {
  /// A value below counts as this one, which is the least that says something.
  var least: Double { isCount ? 1 : FleetSample.least }
}
