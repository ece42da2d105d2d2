// SPDX-License-Identifier: Apache-2.0

/// How launches are compared.
package struct ComparisonOptions: Sendable, Equatable {
  /// The error allowed on each side of an interval: 0.005 is a confidence of 99 %.
  package var tail = 0.005
  /// The part of `tail` that one look of a running comparison may use; nil if there is only one look.
  package var lookTail: Double?
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
  /// The increase of each deterministic metric that is not yet a regression.
  package var exact = ExactAllowances()

  package init() {}

  /// The error allowed on each side of the intervals that are shown.
  var intervalTail: Double { lookTail ?? tail }

  /// What was reported for different jobs of a CI.
  private static let usualSpread = 0.26

  /// How far two sessions differ in a metric, by the user, by the history, or as is usual.
  func spread(of metric: Metric) -> SessionSpread {
    // Counts do not depend on how fast the machine is at that minute.
    guard metric.unit == .nanoseconds else { return .assumed(0) }
    if sessionSpread == nil, let measured = commitSpread?.measured(metric) { return .measured(measured) }
    return .assumed(sessionSpread ?? Self.usualSpread)
  }

  package func thresholds(total: Double) -> Thresholds {
    .standard(total: total, relative: relative, absolute: absolute)
  }
}

/// How much the metrics that never vary may increase.
package struct ExactAllowances: Sendable, Equatable {
  /// How many more shared libraries are allowed.
  package var libraries: Int64 = 0
  package var mappedLibraries: Int64 = 0
  package var openedLibraries: Int64 = 0
  /// How many more lazy globals of the program itself are allowed: D164.
  package var lazyGlobals: Int64 = .max
  package var firstLookups: Int64 = .max
  /// As a fraction of the base's.
  package var libraryBytes = 0.1
  package var relocations = 0.1
  package var initializers = 0.1
  package var mappedBytes = 0.1
  package var instructions = 0.005

  package init() {}

  /// No increase of a metric that never varies is a regression.
  package static var unlimited: ExactAllowances {
    var allowances = ExactAllowances()
    (allowances.libraries, allowances.mappedLibraries, allowances.openedLibraries) = (.max, .max, .max)
    (allowances.libraryBytes, allowances.relocations) = (.infinity, .infinity)
    (allowances.initializers, allowances.mappedBytes) = (.infinity, .infinity)
    return allowances
  }
}

extension ExactAllowances {
  /// The limits that the user set, but that were not checked, because a side has no such count. The others are on without being
  /// asked for.
  package func unchecked(in comparison: LaunchComparison) -> [NamedBudgets.Unmatched] {
    let limits: [(ExactComparison.Metric, Int64, detail: String)] = [
      (.lazyGlobals, lazyGlobals, "globals"), (.firstLookups, firstLookups, "conformances"),
    ]
    return limits.filter { metric, most, _ in most != .max && !comparison.exact.contains { $0.metric == metric } }
      .map { metric, _, detail in
        NamedBudgets.Unmatched(
          name: "more: \(metric.rawValue)",
          sentence: "more: \(metric.rawValue) was not checked: launch both sides with --detail \(detail)")
      }
  }
}
