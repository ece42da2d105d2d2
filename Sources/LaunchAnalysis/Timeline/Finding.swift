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
  /// Samples say it, nobody recorded it: then `actual` may be off by this much, ns.
  public var error: Int64? = nil
  /// Source file and line; nil if not known.
  public var file: String? = nil
  public var line: Int? = nil
  /// What shows it, the most telling first.
  public var evidence: [Evidence] = []
  /// One line that names the next step.
  public var advice: String

  /// The top-level phase that it began in, or what it is of; nil if the trace says nothing of phases.
  public var phase: String? = nil
}

/// Something in the trace that a finding rests on.
public struct Evidence: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// Functions, outermost first, as `a > b > c`.
    case stack
    /// The state of the main thread meanwhile.
    case state
    /// A file that it waited for.
    case file
    /// A system call that it waited in.
    case systemCall = "system-call"
    /// Another thread, and what it was doing.
    case thread
    case library
    /// Part of a recorded interval.
    case span
    /// What else is known.
    case note
  }

  public var kind: Kind
  public var text: String
  /// How much of the finding it is, ns; nil where that says nothing.
  public var time: Int64?

  public init(_ kind: Kind, _ text: String, time: Int64? = nil) {
    self.kind = kind
    self.text = text
    self.time = time
  }
}

/// The ids of findings.
public enum FindingName {
  public static let launchOverBudget = "launch-over-budget"
  public static let milestoneOverBudget = "milestone-over-budget"
  public static let phaseOverBudget = "phase-over-budget"
  public static let mainThreadOverBudget = "main-thread-over-budget"
  public static let intervalOverBudget = "interval-over-budget"
  public static let mainThreadBlockedIO = "main-thread-blocked-io"
  public static let mainThreadWaiting = "main-thread-waiting"
  public static let mainThreadRunnable = "main-thread-runnable"
  public static let cpuContention = "cpu-contention"
  public static let dlopenAtLaunch = "dlopen-at-launch"
  public static let oneTimeSetupRepeated = "one-time-setup-repeated"
  public static let relocationHeavyLibrary = "relocation-heavy-library"
  public static let slowStaticInitializer = "slow-static-initializer"
  public static let unattributedTime = "unattributed-time"
  public static let debugBuild = "debug-build"
  public static let failedLaunch = "failed-launch"
  public static let eventsDropped = "events-dropped"
  public static let initializersUntimed = "initializers-untimed"
  public static let recorderOverhead = "recorder-overhead"
  public static let suspended = "suspended"
  public static let traceDamaged = "trace-damaged"
  public static let coldNotProven = "cold-not-proven"
  public static let notInstrumented = "not-instrumented"
}
