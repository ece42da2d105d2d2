internal import CLaunchSchema

/// How the program ended, as the launcher saw it.
public enum Outcome: Sendable, Equatable {
  /// Nobody watched.
  case unknown
  case exited(status: Int32)
  case signalled(signal: Int32)
  case timedOut
  /// The launcher ended it once it was ready, as asked.
  case ended
  case failedToStart(reason: String)

  /// The word of the trace format.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .exited: LS_OUTCOME_EXITED
    case .signalled: LS_OUTCOME_SIGNALLED
    case .timedOut: LS_OUTCOME_TIMED_OUT
    case .ended: "ended"
    case .failedToStart: LS_OUTCOME_FAILED_TO_START
    }
  }

  public var isFailure: Bool {
    switch self {
    case .unknown, .ended, .exited(status: 0): false
    case .exited, .signalled, .timedOut, .failedToStart: true
    }
  }
}

/// What the whole process used, as the launcher's `wait4` says (rusage).
public struct ProcessTotals: Sendable, Equatable {
  /// ns.
  public var userCPU: Int64
  /// ns.
  public var systemCPU: Int64
  /// nil where the launcher could not tell the program's peak from its own, which Linux carries over.
  public var maxResidentBytes: Int64?
  public var minorFaults: Int64
  public var majorFaults: Int64
  public var voluntarySwitches: Int64
  public var involuntarySwitches: Int64
  public var readBytes: Int64
}

/// Where the program ran.
public struct Machine: Sendable, Equatable {
  public var host: String
  public var kernel: String
  public var cpuModel: String
  public var cpus: Int
}

/// Which launch of a series this was.
public struct Run: Sendable, Equatable {
  /// From 1.
  public var number: Int
  public var count: Int
  public var isWarmUp: Bool
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
  public var other: [String: String] = [:]

  public init(reason: String? = nil, context: String? = nil, kind: String? = nil) {
    (self.reason, self.context, self.kind) = (reason, context, kind)
  }
}

/// What recording cost in this launch.
public struct RecorderCost: Sendable, Equatable {
  public var events: Int
  /// ns each, as calibrated by the recorder.
  public var eventCost: Double
  /// ns, before `main`.
  public var startupCost: Double
  /// Events that were not written.
  public var dropped: Int
  /// Initialisers that could not be timed.
  public var untimedInitializers: Int
  public var libraryVersion: String
  /// ns in all.
  public var total: Double { startupCost + Double(events) * eventCost }
}
