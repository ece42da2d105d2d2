// SPDX-License-Identifier: Apache-2.0

/// What a quantile is called.
package enum QuantileName {
  /// `p50`, `p99.9`, … of 0.5, 0.999, …
  package static func of(_ fraction: Double) -> String {
    // Fractions are hundredths of what was written, and 0.55 is not a binary fraction: the last digits are noise.
    let percent = (fraction * 1e11).rounded() / 1e9
    return Int(exactly: percent).map { "p\($0)" } ?? "p\(percent)"
  }
}
