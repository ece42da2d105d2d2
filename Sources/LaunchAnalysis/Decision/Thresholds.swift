// SPDX-License-Identifier: Apache-2.0

/// How much slower a launch may get before it counts as a regression. Both thresholds must be exceeded. 0.6 → 0.7 ms is
/// large in percent and small in time, and a launch of one second varies by 10 ms without a change.
package struct Thresholds: Sendable, Equatable {
  /// As a part of the base: 0.03 is 3 %.
  package var relative: Double
  /// ns.
  package var absolute: Double

  package init(relative: Double, absolute: Double) { (self.relative, self.absolute) = (relative, absolute) }

  package static let standardRelative = 0.03

  /// 3 %, and 1 ms or, of launches below 20 ms, 5 % of the launch.
  ///
  /// - Parameter total: of the base's launch, ns.
  package static func standard(total: Double, relative: Double? = nil, absolute: Double? = nil) -> Thresholds {
    Thresholds(relative: relative ?? standardRelative, absolute: absolute ?? min(1_000_000, 0.05 * max(0, total)))
  }

  /// Whether a change is beyond both.
  func areExceeded(by change: Shift.Change) -> Bool { change.relative > relative && change.absolute > absolute }

  /// Whether what did not get slower may have got faster by more than both.
  package func mayBeImproved(_ shift: Shift) -> Bool { max(shift.lower.relative, -1) < -effective(base: shift.base) }

  /// The greater of both, as a part of `base`: what a change must be beyond.
  package func effective(base: Double) -> Double { base > 0 ? max(relative, absolute / base) : relative }
}
