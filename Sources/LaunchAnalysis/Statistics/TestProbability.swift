/// How probable a test's statistic is when nothing differs.
package struct TestProbability: Sendable, Equatable {
  /// P(as large or larger): small when the values lie above 0, or the first sample above the second.
  package var greater: Double
  /// P(as small or smaller).
  package var less: Double
  /// Whether it was counted, or read off a normal distribution.
  package var isExact: Bool

  package var twoSided: Double { min(1, 2 * min(greater, less)) }
}
