// SPDX-License-Identifier: Apache-2.0

/// The launches of a table that are compared: which side each is on.
struct ComparedSides {
  /// 0 base, 1 head, −1 neither, by row.
  let numbers: [Int8]
  let counts: [Int]
  /// Launches of each side that completed.
  let completed: [Int]
  /// Rows of both sides that completed.
  let isCompleted: [Bool]
  /// Launches of each side that do not say of which machine they are. They are on neither side: the comparison cannot know
  /// how much they resemble others.
  let withoutUnit: [UnknownMachines]

  /// - Throws: `FleetError` when launches are on both sides.
  init(_ table: FleetTable, _ options: FleetComparisonOptions) throws(FleetError) {
    let (base, head) = (options.base.rows(of: table), options.head.rows(of: table))
    var (numbers, counts, completed) = ([Int8](repeating: -1, count: table.count), [0, 0], [0, 0])
    var isCompleted = [Bool](repeating: false, count: table.count)
    let total = table.metrics[0].values
    let units = options.unit.flatMap(table.label)
    var withoutUnit = [UnknownMachines(), UnknownMachines()]
    for row in 0..<table.count {
      if base[row], head[row] {
        throw FleetError(
          .badFilter,
          message:
            "some launches are on both sides, --base \(options.base) and --head \(options.head); select each on one side only"
        )
      }
      guard base[row] || head[row] else { continue }
      let (side, hasCompleted) = (head[row] ? 1 : 0, table.hasFailed(row) != true)
      if let units, units.codes[row] == 0 {
        withoutUnit[side].launches += table.records(row)
        withoutUnit[side].failed += hasCompleted ? 0 : table.records(row)
        continue
      }
      numbers[row] = Int8(side)
      isCompleted[row] = hasCompleted && !total[row].isNaN
      counts[side] += table.records(row)
      completed[side] += isCompleted[row] ? table.records(row) : 0
    }
    (self.numbers, self.counts, self.isCompleted, self.completed) = (numbers, counts, isCompleted, completed)
    self.withoutUnit = withoutUnit
  }
}

/// Launches that do not say of which machine they are.
package struct UnknownMachines: Sendable, Equatable {
  package var launches = 0
  /// Launches among them that did not complete.
  package var failed = 0
}

extension RowGroups {
  /// Each group as two: 2g of the base, 2g + 1 of the head.
  func divided(by sides: ComparedSides) -> RowGroups {
    let divided = numbers.indices.map { row in
      numbers[row] < 0 || sides.numbers[row] < 0 ? -1 : numbers[row] * 2 + Int32(sides.numbers[row])
    }
    return RowGroups(numbers: divided, count: count * 2)
  }
}
