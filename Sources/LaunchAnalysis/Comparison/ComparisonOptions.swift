// SPDX-License-Identifier: Apache-2.0

/// How launches are compared.
package struct ComparisonOptions: Sendable, Equatable {
  /// The error allowed on each side of an interval: 0.005 is a confidence of 99 %.
  package var tail = 0.005
  /// The part of `tail` that one look of a running comparison may use; nil if there is only one look.
  package var lookTail: Double?
  /// How many looks a running comparison may have; 1 if there is only one.
  package var looks = 1
  /// False if the comparison goes on unless this look decides it.
  package var isLastLook = true
  /// nil for the default, `Thresholds.standard`.
  package var relative: Double?
  /// ns; nil for the default.
  package var absolute: Double?
  /// How far two sessions of the same program on this machine may differ, as a fraction; nil if the user does not say.
  package var sessionSpread: Double?
  /// How far the commits of the history with the base differ; nil without a history.
  package var commitSpread: CommitSpread?
  /// Seed of the bootstrap.
  package var seed: UInt64 = 1
  /// The fields that may differ between the sides.
  package var allowed: Set<Provenance.Field> = []
  /// The increase of each count that is not yet a regression.
  package var exact = ExactAllowances()

  package init() {}

  /// The error allowed on each side of the intervals that are shown.
  var intervalTail: Double { lookTail ?? tail }

  /// The part of `tail` for the parts of the launch. The rounds may stop at any look, and the parts do not decide at which. So
  /// each look has an equal share, which keeps the error wherever they stop (D430).
  var partTail: Double { tail / Double(max(1, looks)) }

  /// What was reported for different jobs of a CI.
  private static let usualSpread = 0.26

  /// How far two sessions differ in a metric, by the user, by the history, or as is usual.
  func spread(of metric: Metric) -> SessionSpread {
    // Counts do not depend on how fast the machine is at that minute.
    guard metric.unit == .nanoseconds else { return .assumed(0) }
    if sessionSpread == nil, let measured = commitSpread?.measured(metric) { return .measured(measured) }
    return .assumed(sessionSpread ?? Self.usualSpread)
  }
}
