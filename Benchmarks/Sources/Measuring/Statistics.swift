// SPDX-License-Identifier: Apache-2.0

/// Medians and distribution-free intervals. Timings are skewed and have outliers, so means do not describe them.
public enum Statistics {
  /// The middle value; the mean of the two middle ones for an even count. NaN for none.
  public static func median(_ values: [Double]) -> Double {
    if values.isEmpty { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Median absolute deviation from the median, not scaled.
  public static func medianAbsoluteDeviation(_ values: [Double]) -> Double {
    let center = median(values)
    return median(values.map { abs($0 - center) })
  }

  /// 95 % interval of the median by order statistics (the sign test, normal approximation).
  public static func medianInterval(_ values: [Double]) -> ClosedRange<Double> {
    if values.isEmpty { return .nan ... .nan }
    let sorted = values.sorted()
    let count = Double(sorted.count)
    let low = Int((count / 2 - 1.96 * count.squareRoot() / 2).rounded(.down))
    let index = min(max(low, 0), (sorted.count - 1) / 2)
    return sorted[index]...sorted[sorted.count - 1 - index]
  }

  /// How many times larger `numerators` are than `denominators`, pair by pair: the Hodges–Lehmann estimate of the
  /// logarithm's shift with its 95 % interval (Wilcoxon's signed ranks, normal approximation).
  ///
  /// Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, 3.2 and 3.3.
  public static func pairedRatio(
    _ numerators: [Double], _ denominators: [Double]
  ) -> (estimate: Double, interval: ClosedRange<Double>) {
    let logarithms = zip(numerators, denominators).filter { $0 > 0 && $1 > 0 }.map { log($0 / $1) }
    if logarithms.isEmpty { return (.nan, .nan ... .nan) }
    var averages: [Double] = []
    averages.reserveCapacity(logarithms.count * (logarithms.count + 1) / 2)
    for i in logarithms.indices {
      for j in i..<logarithms.count { averages.append((logarithms[i] + logarithms[j]) / 2) }
    }
    averages.sort()
    let count = Double(logarithms.count)
    let ranks = count * (count + 1)
    let low = Int((ranks / 4 - 1.96 * (ranks * (2 * count + 1) / 24).squareRoot()).rounded(.down))
    let index = min(max(low, 0), (averages.count - 1) / 2)
    let middle = median(averages)
    return (exp(middle), exp(averages[index])...exp(averages[averages.count - 1 - index]))
  }
}

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
