// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How shares of replayed series are printed, and held to a target.
enum PowerTable {
  /// `+20 %` of 0.2.
  static func percent(_ step: Double) -> String { "+\(Int((step * 100).rounded())) %" }

  static func share(_ part: Int, _ whole: Int) -> String {
    whole == 0 ? "–" : String(format: "%.1f %%", 100 * Double(part) / Double(whole))
  }

  /// Cells, each at the right end of its column.
  static func row(_ cells: [String], _ widths: [Int]) -> String {
    zip(cells, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined()
  }

  /// Whether more than this share was counted, by more than two standard errors of the draws.
  static func isBeyond(_ most: Double, _ count: Int, of draws: Int) -> Bool {
    let whole = Double(draws)
    return Double(count) / whole > most + 2 * (most * (1 - most) / whole).squareRoot()
  }
}
