public import LaunchTrace

/// A launch, interpreted: phases that add up, milestones, budgets, who ran where. Built from one `Trace`.
public struct LaunchTimeline: Sendable {
  public var trace: Trace
  /// What was launched: file name of the program.
  public var program: String
  public var commandLine: [String]
  public var processID: Int32
  /// Nanoseconds on the trace's clock.
  public var start: Int64
  public var startSource: Source
  /// How far `start` may be off, ns.
  public var startError: Int64
  /// End of the launch (first frame or ready, else the program's end), ns.
  public var end: Int64
  public var endMilestone: String
  /// Top-level phases in order; with `unattributed` ones they tile start…end (…fully drawn) with no gap.
  public var phases: [Phase]
  public var milestones: [Milestone]
  public var budgets: Budgets
  public var findings: [Finding]
  public var outcome: Outcome
  public var recorder: RecorderCost?
  public var labels: Labels
  /// The main thread's track in `trace.tracks`, if there is one.
  public var mainThread: TrackID?

  /// Total launch time, ns.
  public var total: Int64 { end - start }
}

/// Where a time stamp comes from, the most exact first.
public enum Source: String, Sendable, Codable {
  case launcher, kernel, breakpoint, preinit, api, estimated
}

/// One phase of the launch.
public struct Phase: Sendable {
  /// `exec`, `load`, `static-init`, …, `unattributed`.
  public var id: String
  public var start: Int64
  public var end: Int64
  public var source: Source
  /// Rows in the trace that this phase was made from, if any.
  public var slice: SliceIndex?
  public var costs: PhaseCosts?
  /// ns; nil for no budget.
  public var budget: Int64?
  /// Phases inside this one.
  public var children: [Phase]
  public var duration: Int64 { end - start }
  public var overBudget: Int64 { budget.map { max(0, duration - $0) } ?? 0 }
}

/// What the calling thread used during a phase.
public struct PhaseCosts: Sendable, Equatable {
  public var cpu: Int64
  public var minorFaults: Int64
  public var majorFaults: Int64
  public var voluntarySwitches: Int64
  public var involuntarySwitches: Int64
  public var readBytes: Int64
}

public struct Milestone: Sendable, Equatable {
  public var id: String
  public var time: Int64
  public var source: Source
  /// ns from the launch's start; nil for no budget.
  public var budget: Int64?
}

/// How the program ended, as the launcher saw it.
public enum Outcome: Sendable, Equatable {
  case unknown
  case exited(status: Int32)
  case signalled(signal: Int32)
  case timedOut
  case failedToStart(reason: String)
}

/// What recording cost in this launch.
public struct RecorderCost: Sendable, Equatable {
  public var events: Int
  public var eventCost: Double
  public var startupCost: Double
  public var dropped: Int
  /// ns in all.
  public var total: Double { startupCost + Double(events) * eventCost }
}

/// Why and how it was launched, as recorded.
public struct Labels: Sendable, Equatable {
  public var reason: String?
  public var context: String?
  /// cold, warm, first, …
  public var kind: String?
  public var version: String?
  public var build: String?
  /// All other metadata, by key.
  public var other: [String: String]
}

/// Something worth telling. Ids are stable.
public struct Finding: Sendable, Equatable {
  public var id: String
  /// Expected and actual, ns.
  public var expected: Int64
  public var actual: Int64
  /// Name of the phase, interval or milestone.
  public var subject: String
  public var slice: SliceIndex?
  public var start: Int64
  public var advice: String
}
