// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// Which columns are held equal between the sides, so that launches are compared like with like.
///
/// A column is held equal if the sides have different mixes of its values, within the columns that are already held. If a
/// column follows from another one (as the architecture follows from the machine class), its mix no longer differs once
/// that one is held. Columns with an effect on launches are held, too, if enough launches remain to compare, because the
/// intervals then become narrower.
package struct MixChoice: Sendable {
  package struct Column: Sendable, Equatable {
    package var name: String
    /// How much the mixes differ, within the columns that were held before: half the sum of the differences of shares.
    package var distance: Double
    /// Whether the mixes differ by more than chance.
    package var differs: Bool
    /// The value whose share grows most from the base to the head; nil if no share grows.
    package var growth: Growth?
    /// The number of its values, and one for launches without a value.
    package var valueCount: Int
  }

  /// The shares of one value of a column, of the completed launches of each side.
  package struct Growth: Sendable, Equatable {
    package var value: String
    package var base: Double
    package var head: Double
  }

  /// A column that is always held, with its values on each side.
  package struct Divided: Sendable, Equatable {
    package var name: String
    package var base: [String]
    package var head: [String]
  }

  package private(set) var held: [Column] = []
  /// What `--mix` names to hold the same columns.
  package var chosen: [String] { held.map(\.name).filter { !Self.always.contains($0) } }
  /// Columns whose mix differs, and that cannot be held: too few launches would have a counterpart.
  package private(set) var unheld: [Column] = []
  /// The columns in which no launch of one side is like a launch of the other: these sides are never compared.
  package private(set) var apart: [Divided] = []
  /// The columns by which `groups` are divided.
  private(set) var names: [String] = []
  private(set) var groups: RowGroups
  /// The parts of each side's launches that have counterparts.
  private var covered = [0.0, 0.0]
  /// The part of the launches that have counterparts: the mean of both sides.
  package var coverage: Double { Self.mean(covered) }
  /// Whether these are enough for a result.
  package var isEnough: Bool { Self.isEnough(covered) }

  private var table: FleetTable
  private var sides: ComparedSides
  private let least: Int

  /// Launches of different programs, or with different ends, are never compared.
  private static let always = ["program", "end"]
  private static let standard = ["machine", "kind", "reason", "context", "os"]
  private static let never: Set = ["version", "build", "budget", "profiler", "day"]
  private static let mostValues = 2000
  /// What must remain when a column is held that differs: fewer launches, like with like, say more than all of them.
  private static let leastCoverage = 0.6
  private static let mostHeld = 6

  init(_ table: FleetTable, _ sides: ComparedSides, _ options: FleetComparisonOptions) throws(FleetError) {
    (self.table, self.sides, least) = (table, sides, options.leastOfCohort)
    groups = RowGroups(table, where: sides.isCompleted)
    covered = covered(groups)
    for name in Self.always { if let column = table.label(name), column.isUsed { hold(column, difference(column)) } }
    apart = divided(table)
    // A column with only one value need not be listed.
    held.removeAll { column in table.label(column.name).map { $0.valueCount <= 2 } ?? true }
    if let mix = options.mix {
      for name in mix {
        guard let column = table.label(name), column.isUsed else {
          throw table.unknown(column: name, option: "--mix: ")
        }
        hold(column, difference(column))
      }
    } else if apart.isEmpty {
      choose(options)
    }
  }

  /// None if launches of both sides have the same program and end.
  private func divided(_ table: FleetTable) -> [Divided] {
    let (counts, all) = sideCounts(groups)
    guard all[0] > 0, all[1] > 0, !(0..<groups.count).contains(where: { min(counts[2 * $0], counts[2 * $0 + 1]) > 0 })
    else { return [] }
    let columns = names.compactMap(table.label).map { column in
      var codes: [Set<UInt16>] = [[], []]
      for row in groups.numbers.indices where groups.numbers[row] >= 0 {
        codes[Int(sides.numbers[row])].insert(column.codes[row])
      }
      let values = codes.map { $0.map(column.text).sorted() }
      return Divided(name: column.name, base: values[0], head: values[1])
    }
    let disjoint = columns.filter { Set($0.base).isDisjoint(with: $0.head) }
    return disjoint.isEmpty ? columns : disjoint
  }

  /// The same choice for another table of the same launches.
  func applied(to table: FleetTable, _ sides: ComparedSides) -> MixChoice {
    var choice = self
    (choice.table, choice.sides) = (table, sides)
    choice.groups = RowGroups(table, where: sides.isCompleted).divided(by: names.compactMap(table.label))
    return choice
  }

  private mutating func choose(_ options: FleetComparisonOptions) {
    let asked = Set(options.base.columns + options.head.columns)
    var rest = table.labels.filter { column in
      column.isUsed && column.valueCount <= Self.mostValues && !asked.contains(column.name)
        && column.name != options.unit && !Self.never.contains(column.name) && !Self.always.contains(column.name)
    }
    while held.count < Self.mostHeld {
      let found = rest.indices.map { ($0, difference(rest[$0])) }.filter(\.1.isSure)
      // Of columns that divide the launches alike, such as the machine and its memory, the one that people know.
      func rank(_ found: (place: Int, Difference)) -> (Double, Int) {
        (found.1.score, Self.standard.contains(rest[found.place].name) ? 1 : 0)
      }
      guard let (place, difference) = found.max(by: { rank($0) < rank($1) }) else { break }
      let column = rest.remove(at: place)
      if remainsComparable(groups.divided(by: [column])) {
        hold(column, difference)
      } else {
        unheld.append(described(column, difference))
      }
    }
    for column in rest where Self.standard.contains(column.name) && column.valueCount > 2 && held.count < Self.mostHeld
    {
      let next = covered(groups.divided(by: [column]))
      // A column that need not be held must not prevent a result.
      if Self.mean(next) >= 0.98 * coverage, Self.isEnough(next) || !isEnough { hold(column, difference(column)) }
    }
  }

  private mutating func hold(_ column: LabelColumn, _ difference: Difference) {
    groups = groups.divided(by: [column])
    covered = covered(groups)
    held.append(described(column, difference))
    names.append(column.name)
  }

  private func described(_ column: LabelColumn, _ difference: Difference) -> Column {
    Column(
      name: column.name, distance: difference.distance, differs: difference.isSure,
      growth: difference.isSure ? growth(column) : nil, valueCount: column.valueCount)
  }

  /// Whether enough launches have counterparts in these groups.
  private func remainsComparable(_ groups: RowGroups) -> Bool {
    let next = covered(groups)
    return Self.mean(next) >= Self.leastCoverage * coverage || next[1] >= FleetComparison.leastOfHead
  }

  private static func mean(_ covered: [Double]) -> Double { covered.reduce(0, +) / 2 }

  private static func isEnough(_ covered: [Double]) -> Bool {
    FleetComparison.isEnough(mean: mean(covered), ofHead: covered[1])
  }

  /// Each side's share of launches in groups that have enough on both sides.
  private func covered(_ groups: RowGroups) -> [Double] {
    let (counts, all) = sideCounts(groups)
    var covered = [0.0, 0.0]
    guard all[0] > 0, all[1] > 0 else { return covered }
    for group in 0..<groups.count where min(counts[2 * group], counts[2 * group + 1]) >= least {
      for side in 0..<2 { covered[side] += Double(counts[2 * group + side]) / Double(all[side]) }
    }
    return covered
  }

  private func sideCounts(_ groups: RowGroups) -> (counts: [Int], all: [Int]) {
    var (counts, all) = ([Int](repeating: 0, count: groups.count * 2), [0, 0])
    for row in groups.numbers.indices where groups.numbers[row] >= 0 {
      let side = Int(sides.numbers[row])
      counts[Int(groups.numbers[row]) * 2 + side] += table.records(row)
      all[side] += table.records(row)
    }
    return (counts, all)
  }

  private func growth(_ column: LabelColumn) -> Growth? {
    var weights = [[Double]](repeating: [0, 0], count: column.valueCount)
    for row in groups.numbers.indices where groups.numbers[row] >= 0 {
      weights[Int(column.codes[row])][Int(sides.numbers[row])] +=
        Double(table.weights[row]) * Double(table.records(row))
    }
    let all = weights.reduce(into: [0.0, 0.0]) { all, next in
      all[0] += next[0]
      all[1] += next[1]
    }
    let values = weights.indices.map { code in
      Growth(value: column.text(UInt16(code)), base: weights[code][0] / all[0], head: weights[code][1] / all[1])
    }
    return values.filter { $0.head > $0.base }.max { $0.head - $0.base < $1.head - $1.base }
  }

  struct Difference {
    var distance = 0.0
    /// The score of a test of equal mixes: a standard normal number if they are equal.
    var score = 0.0
    var isSure: Bool { score > 4 && distance > 0.01 }
  }

  /// Pearson's chi-squared within each group, added up; made normal after Wilson and Hilferty (1931).
  private func difference(_ column: LabelColumn) -> Difference {
    let values = column.valueCount
    guard values <= Self.mostValues, groups.count * values <= 1 << 22 else { return Difference() }
    var counts = [Int](repeating: 0, count: groups.count * values * 2)
    for row in groups.numbers.indices where groups.numbers[row] >= 0 {
      let place = Int(groups.numbers[row]) * values + Int(column.codes[row])
      counts[place * 2 + Int(sides.numbers[row])] += table.records(row)
    }
    let (totals, all) = sideCounts(groups)
    var (square, freedom, distance) = (0.0, 0.0, 0.0)
    for group in 0..<groups.count where min(totals[2 * group], totals[2 * group + 1]) > 0 {
      let (base, head) = (Double(totals[2 * group]), Double(totals[2 * group + 1]))
      var (present, apart) = (0, 0.0)
      for value in 0..<values {
        let place = (group * values + value) * 2
        let (first, second) = (Double(counts[place]), Double(counts[place + 1]))
        guard first + second > 0 else { continue }
        present += 1
        apart += abs(first / base - second / head) / 2
        let expected = (first + second) / (base + head)
        square += (first - base * expected) * (first - base * expected) / (base * expected)
        square += (second - head * expected) * (second - head * expected) / (head * expected)
      }
      freedom += Double(present - 1)
      distance += apart * (base / Double(max(1, all[0])) + head / Double(max(1, all[1]))) / 2
    }
    guard freedom > 0 else { return Difference() }
    let spread = 2 / (9 * freedom)
    return Difference(
      distance: distance, score: (Double.pow(square / freedom, 1.0 / 3) - 1 + spread) / spread.squareRoot())
  }
}
