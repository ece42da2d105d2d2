/// How launches are compared.
package struct ComparisonOptions: Sendable, Equatable {
  /// The error allowed on each side of an interval: 0.005 is a confidence of 99 %.
  package var tail = 0.005
  /// What one look of a running comparison may err, of `tail` in all; nil where there is one look only.
  package var lookTail: Double?
  /// nil for the standard: `Thresholds.standard`.
  package var relative: Double?
  /// ns; nil for the standard.
  package var absolute: Double?
  /// How far two sessions of the same program on this machine may lie apart, as a part. The default is what was reported
  /// between the jobs of a CI.
  package var sessionSpread = 0.26
  /// Of the bootstrap.
  package var seed: UInt64 = 1
  /// What may differ between the sides.
  package var allowed: Set<Provenance.Field> = []
  /// More of these is a regression, by so much: the deterministic metrics.
  package var exact = ExactAllowances()

  package init() {}

  /// The error allowed on each side of the intervals that are shown.
  var intervalTail: Double { lookTail ?? tail }

  package func thresholds(total: Double) -> Thresholds {
    .standard(total: total, relative: relative, absolute: absolute)
  }
}

/// How much more of what never varies is allowed.
package struct ExactAllowances: Sendable, Equatable {
  /// How many more shared libraries.
  package var libraries: Int64 = 0
  package var mappedLibraries: Int64 = 0
  package var openedLibraries: Int64 = 0
  /// The program's own: D164.
  package var lazyGlobals: Int64 = .max
  package var firstLookups: Int64 = .max
  /// A part of the base's.
  package var libraryBytes = 0.1
  package var relocations = 0.1
  package var initializers = 0.1
  package var mappedBytes = 0.1

  package init() {}

  /// Nothing that never varies is a regression.
  package static var unlimited: ExactAllowances {
    var allowances = ExactAllowances()
    (allowances.libraries, allowances.mappedLibraries, allowances.openedLibraries) = (.max, .max, .max)
    (allowances.libraryBytes, allowances.relocations) = (.infinity, .infinity)
    (allowances.initializers, allowances.mappedBytes) = (.infinity, .infinity)
    return allowances
  }
}
