// SPDX-License-Identifier: Apache-2.0

/// The launches of a point, by their residuals.
struct PointSample {
  private var residuals: [(value: Double, weight: Double)] = []
  private var total = 0.0
  private var squares = 0.0
  private(set) var count = 0

  /// - Parameter weight: of each of the records.
  mutating func add(_ residual: Double, _ records: Int, weight: Double) {
    let sum = Double(records) * weight
    residuals.append((residual, sum))
    total += sum
    squares += sum * weight
    count += records
  }

  /// At most this many values, evenly spread over the weight of the launches.
  ///
  /// They are also at most as many as the records of equal weight that say as much (Kish 1965), because copies of one record
  /// are not further evidence.
  func thinned(to most: Int) -> [Double] {
    guard total > 0 else { return [] }
    let size = max(1, min(Double(most), (total * total / squares).rounded()))
    var (result, weight, taken) = ([Double](), 0.0, 0)
    for residual in residuals {
      weight += residual.weight
      let next = Int((weight * size / total).rounded())
      result += repeatElement(residual.value, count: next - taken)
      taken = next
    }
    return result
  }
}
