public import LaunchTrace

/// One phase of the launch.
public struct Phase: Sendable {
  /// `exec`, `load`, `static-init`, …, `unattributed`; of an initialiser its name.
  public var id: String
  /// Nanoseconds on the trace's clock.
  public var start: Int64
  public var end: Int64
  public var source: Source
  /// The slice that this phase was made from; nil for one that was derived from milestones.
  public var slice: SliceIndex?
  public var costs: PhaseCosts?
  /// ns; nil for no budget.
  public var budget: Int64? = nil
  /// True when the trace ends before the phase does: `end` is the last thing known.
  public var isUnfinished = false
  /// Phases inside this one.
  public var children: [Phase] = []

  public var duration: Int64 { end - start }
  public var overBudget: Int64 { budget.map { max(0, duration - $0) } ?? 0 }
  public var isUnattributed: Bool { id == PhaseName.unattributed }
}

/// What the calling thread used during a phase.
public struct PhaseCosts: Sendable, Equatable {
  /// ns.
  public var cpu: Int64
  public var minorFaults: Int64
  public var majorFaults: Int64
  public var voluntarySwitches: Int64
  public var involuntarySwitches: Int64
  public var readBytes: Int64
}
