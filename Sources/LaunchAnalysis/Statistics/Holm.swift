// SPDX-License-Identifier: Apache-2.0

/// Holm's correction for several tests at once.
package enum Holm {
  /// Adjusted p values in the given order. Rejecting those up to α has a family-wise error of at most α.
  ///
  /// Holm (1979), Scandinavian Journal of Statistics 6(2).
  package static func adjusted(_ probabilities: [Double]) -> [Double] {
    var result = probabilities
    var greatest = 0.0
    for (place, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
      greatest = max(greatest, min(1, probabilities[index] * Double(probabilities.count - place)))
      result[index] = greatest
    }
    return result
  }
}
