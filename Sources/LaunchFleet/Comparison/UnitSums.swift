// SPDX-License-Identifier: Apache-2.0

/// What the launches of each machine add to the error of an effect.
///
/// Launches of one machine resemble each other, so that many of them say less than as many launches of many machines. An
/// effect is a sum over launches, to the first order. Its variance is the sum of the squares of what each machine adds, from
/// which independence of its launches does not follow (Binder 1983, International Statistical Review 51(3)). A machine that
/// has launches on both sides adds the difference.
struct UnitSums {
  /// By pair of a cohort's side and a machine.
  private let pairs: [(parent: Int, code: UInt16)]
  private let numbers: [Int32]
  private var sums: [Double]
  /// The weight of the launches of each pair.
  private var weights: [Double]

  /// Machines that each side needs. With fewer, the error is not known.
  static let least = 10

  /// - Parameters:
  ///   - sides: of cohorts: 2g of the base, 2g + 1 of the head.
  ///   - units: the machine of each row.
  init(_ sides: RowGroups, _ units: LabelColumn) {
    let (divided, pairs) = sides.divided(by: units)
    (self.pairs, numbers) = (pairs, divided.numbers)
    sums = [Double](repeating: 0, count: pairs.count)
    weights = sums
  }

  /// Adds what a row says: its weight, if it lies above the quantile or failed, less what it is expected to add.
  mutating func add(_ row: Int, _ part: Double) { if numbers[row] >= 0 { sums[Int(numbers[row])] += part } }

  mutating func add(weight: Double, of row: Int) { if numbers[row] >= 0 { weights[Int(numbers[row])] += weight } }

  /// Machines with much of a side of a cohort. Without one of them, the quantile may be far away, which the first order does
  /// not say: its launches lie close together, and so around the quantile.
  ///
  /// - Parameter totals: the weight of each side of a cohort.
  /// - Returns: numbers of pairs. Each list has at most one of a side of a cohort; the first one has the largest.
  func large(_ totals: [Double]) -> [[Int]] {
    var lists = [[Int]](repeating: [], count: Self.mostLarge)
    let large = pairs.indices.filter { weights[$0] > Self.largeShare * totals[pairs[$0].parent] }
    var counts = [Int](repeating: 0, count: totals.count)
    for pair in large.sorted(by: { weights[$0] > weights[$1] }) {
      let parent = pairs[pair].parent
      if counts[parent] < Self.mostLarge { lists[counts[parent]].append(pair) }
      counts[parent] += 1
    }
    return lists.filter { !$0.isEmpty }
  }

  private static let (largeShare, mostLarge) = (0.1, 3)

  /// The rows without those of some pairs.
  func without(_ left: [Int], of sides: RowGroups) -> RowGroups {
    let left = Set(left.map { Int32($0) })
    return RowGroups(
      numbers: sides.numbers.indices.map { left.contains(numbers[$0]) ? -1 : sides.numbers[$0] }, count: sides.count)
  }

  func parent(of pair: Int) -> Int { pairs[pair].parent }

  /// Says what a pair adds, if that is more than what its rows add to the first order.
  mutating func raise(_ pair: Int, to sum: Double) { if abs(sum) > abs(sums[pair]) { sums[pair] = sum } }

  func side(of row: Int) -> Int? { numbers[row] >= 0 ? pairs[Int(numbers[row])].parent : nil }

  /// The variance of the sum of all that was added, each side of a cohort times its factor; infinite with too few machines.
  ///
  /// - Parameter factors: by side of a cohort; 0 for those that do not count.
  func variance(_ factors: [Double]) -> Double {
    let codes = Int(LabelColumn.other) + 1
    var byUnit = [Double](repeating: 0, count: codes)
    var isThere = [[Bool]](repeating: [Bool](repeating: false, count: codes), count: 2)
    for (pair, sum) in zip(pairs, sums) where factors[pair.parent] != 0 {
      byUnit[Int(pair.code)] += factors[pair.parent] * sum
      isThere[pair.parent & 1][Int(pair.code)] = true
    }
    let units = Double(isThere.map { $0.count { $0 } }.min() ?? 0)
    guard units >= Double(Self.least) else { return .infinity }
    // The error of a variance from so few squares, as Student's distribution has it at three standard deviations.
    let correction = 1 + 2.5 / (units - 1)
    return byUnit.reduce(0) { $0 + $1 * $1 } * units / (units - 1) * correction * correction
  }
}
