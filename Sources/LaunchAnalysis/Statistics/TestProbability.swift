// SPDX-License-Identifier: Apache-2.0

/// The probability of a test's statistic if nothing differs.
package struct TestProbability: Sendable, Equatable {
  /// P(as large or larger): small if the values are above 0, or the first sample above the second.
  package var greater: Double
  /// P(as small or smaller).
  package var less: Double

  package var twoSided: Double { min(1, 2 * min(greater, less)) }
}
