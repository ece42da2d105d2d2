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
  private let unitCount: Int

  /// Machines that each side needs. With fewer, the error is not known.
  static let least = 10

  /// - Parameters:
  ///   - sides: of cohorts: 2g of the base, 2g + 1 of the head.
  ///   - units: the machine of each row.
  init(_ sides: RowGroups, _ units: LabelColumn) {
    var divided = sides
    pairs = divided.divide(by: units.codes)
    numbers = divided.numbers
    sums = [Double](repeating: 0, count: pairs.count)
    unitCount = Int(LabelColumn.other) + 1
  }

  /// Adds what a row says: its weight, if it lies above the quantile or failed, less what it is expected to add.
  mutating func add(_ row: Int, _ part: Double) { if numbers[row] >= 0 { sums[Int(numbers[row])] += part } }

  func side(of row: Int) -> Int? { numbers[row] >= 0 ? pairs[Int(numbers[row])].parent : nil }

  /// The variance of the sum of all that was added, each side of a cohort times its factor; infinite with too few machines.
  ///
  /// - Parameter factors: by side of a cohort; 0 for those that do not count.
  func variance(_ factors: [Double]) -> Double {
    var byUnit = [Double](repeating: 0, count: unitCount)
    var isThere = [[Bool]](repeating: [Bool](repeating: false, count: unitCount), count: 2)
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
