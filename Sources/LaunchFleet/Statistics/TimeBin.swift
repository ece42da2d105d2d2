// SPDX-License-Identifier: Apache-2.0

/// Bins of times: those with the same sign, exponent and first ten bits of the fraction as a `Float`.
///
/// A bin is a thousandth of its times wide. Counts by bin add up over cells, days and shards.
enum TimeBin {
  /// Bits of a `Float` that are left out.
  static let shift: UInt32 = 13

  /// The least time of a bin.
  static func lower(_ bin: UInt32) -> Float {
    let value = Float(bitPattern: bin << shift)
    return value.isFinite ? max(0, value) : 0
  }

  /// The width of the bin that begins with this time. Times are whole, so a bin with only one time has no width.
  static func width(from lower: Float) -> Double {
    let width = Double(Float(bitPattern: lower.bitPattern &+ 1 << shift)) - Double(lower)
    return width > 1 ? width : 0
  }
}
