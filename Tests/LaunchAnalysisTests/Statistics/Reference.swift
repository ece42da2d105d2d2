// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A question for scipy: scripts/tools/statistics-reference.py.
struct ReferenceCase: Encodable {
  var kind: String
  var values: [[Double]]
  var parameters: [Double] = []
}

/// scipy's answers.
enum Reference {
  private static let scipy = Result {
    try AnsweringTool(Tools.python(), [PackageRoot.appending("scripts/tools/statistics-reference.py")])
  }

  static func values(_ cases: [ReferenceCase]) throws -> [[Double]] {
    try JSONDecoder().decode([[Double]].self, from: scipy.get().answer(cases))
  }
}

/// Expects numbers to agree to a relative 1e-9.
func expectSame(
  _ ours: [Double], _ theirs: ArraySlice<Double>, within tolerance: Double = 1e-9, _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(ours.count == theirs.count, "\(what): \(ours) and \(theirs)", sourceLocation: sourceLocation)
  for (our, their) in zip(ours, theirs) {
    // JSON has no infinity.
    let our = our.isFinite ? our : our < 0 ? -1e308 : 1e308
    #expect(
      abs(our - their) <= tolerance * max(1, abs(their)), "\(what): ours \(ours), theirs \(theirs)",
      sourceLocation: sourceLocation)
  }
}

extension SeededGenerator {
  /// Values that resemble launches: a level, noise with a long tail, and occasional outliers.
  mutating func launches(_ count: Int, level: Double = 0, spread: Double = 0.1) -> [Double] {
    (0..<count).map { _ in
      let noise = Double.random(in: -1...1, using: &self) + Double.random(in: -1...1, using: &self)
      return level + spread * noise * (Int.random(in: 0..<12, using: &self) == 0 ? 6 : 1)
    }
  }

  /// Whole numbers, so that many are equal and some are zero.
  mutating func ties(_ count: Int, within range: ClosedRange<Int>) -> [Double] {
    (0..<count).map { _ in Double(Int.random(in: range, using: &self)) }
  }
}
