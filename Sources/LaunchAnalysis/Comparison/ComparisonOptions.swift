/// How launches are compared.
public struct ComparisonOptions: Sendable, Equatable {
  /// The error allowed on each side of an interval: 0.005 is a confidence of 99 %.
  public var tail = 0.005
  /// What one look of a running comparison may err, of `tail` in all; nil where there is one look only.
  public var lookTail: Double?
  /// nil for the standard: `Thresholds.standard`.
  public var relative: Double?
  /// ns; nil for the standard.
  public var absolute: Double?
  /// How far two sessions of the same program on this machine may lie apart, as a part. The default is what was reported
  /// between the jobs of a CI.
  public var sessionSpread = 0.26
  /// Of the bootstrap.
  public var seed: UInt64 = 1
  /// What may differ between the sides.
  public var allowed: Set<Provenance.Field> = []
  /// More of these is a regression, by so much: the deterministic metrics.
  public var exact = ExactAllowances()

  public init() {}

  /// The error allowed on each side of the intervals that are shown.
  var intervalTail: Double { lookTail ?? tail }

  public func thresholds(total: Double) -> Thresholds {
    .standard(total: total, relative: relative, absolute: absolute)
  }
}

/// How much more of what never varies is allowed.
public struct ExactAllowances: Sendable, Equatable {
  /// How many more shared libraries.
  public var libraries: Int64 = 0
  public var mappedLibraries: Int64 = 0
  public var openedLibraries: Int64 = 0
  /// A part of the base's.
  public var libraryBytes = 0.1
  public var relocations = 0.1
  public var initializers = 0.1
  public var mappedBytes = 0.1

  public init() {}
}
