public import LaunchTrace

/// Something worth telling. Ids are stable.
public struct Finding: Sendable, Equatable {
  /// What `expected` and `actual` count.
  public enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case count
  }

  public var id: String
  public var unit: Unit = .nanoseconds
  public var expected: Int64
  public var actual: Int64
  /// Name of the phase, interval or milestone.
  public var subject: String
  /// Names of what the subject ran inside, outermost first.
  public var path: [String] = []
  public var slice: SliceIndex?
  /// Nanoseconds on the trace's clock.
  public var start: Int64
  /// How many times it happened; `actual` is then the worst one.
  public var occurrences = 1
  /// One line that names the next step.
  public var advice: String
}

/// The ids of findings.
public enum FindingName {
  public static let launchOverBudget = "launch-over-budget"
  public static let milestoneOverBudget = "milestone-over-budget"
  public static let phaseOverBudget = "phase-over-budget"
  public static let mainThreadOverBudget = "main-thread-over-budget"
  public static let slowStaticInitializer = "slow-static-initializer"
  public static let unattributedTime = "unattributed-time"
  public static let debugBuild = "debug-build"
  public static let failedLaunch = "failed-launch"
  public static let eventsDropped = "events-dropped"
  public static let initializersUntimed = "initializers-untimed"
  public static let recorderOverhead = "recorder-overhead"
  public static let suspended = "suspended"
  public static let traceDamaged = "trace-damaged"
  public static let notInstrumented = "not-instrumented"
}
