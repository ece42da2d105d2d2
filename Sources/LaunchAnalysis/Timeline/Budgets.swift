/// The time that things may take, ns. See docs/trace-format.md for the flat form.
public struct Budgets: Sendable, Equatable {
  /// Any interval on the main thread with no entry of its own.
  public var defaultInterval: Int64
  public var intervals: [String: Int64]
  /// Any phase with no entry of its own; nil for none.
  public var defaultPhase: Int64?
  public var phases: [String: Int64]
  /// Counted from process start.
  public var milestones: [String: Int64]

  public static let standard = Budgets(
    defaultInterval: 16_000_000, intervals: [:], defaultPhase: nil, phases: [:],
    milestones: ["first-frame": 400_000_000])

  public init(
    defaultInterval: Int64, intervals: [String: Int64], defaultPhase: Int64?, phases: [String: Int64],
    milestones: [String: Int64]
  ) {
    self.defaultInterval = defaultInterval
    self.intervals = intervals
    self.defaultPhase = defaultPhase
    self.phases = phases
    self.milestones = milestones
  }
}
