/// One launch, from exec to exit, as seen from outside.
public struct LaunchResult: Sendable, Equatable {
  public var processID: Int32
  /// The path that was executed.
  public var path: String
  /// CLOCK_MONOTONIC, ns: right before execve.
  public var execTime: Int64
  /// CLOCK_MONOTONIC, ns: when the program was reaped.
  public var exitTime: Int64
  public var ending: Ending
  public var usage: ResourceUsage
  /// The signal by which somebody asked the launcher itself to stop meanwhile (SIGINT, SIGTERM, …).
  public var interruption: Int32?
  /// When it was ready; nil when nobody looked.
  public var ready: ReadyOutcome?
  /// It was ended once it was ready, as asked: `ending` is what became of that.
  public var wasEndedWhenReady = false

  public init(
    processID: Int32, path: String, execTime: Int64, exitTime: Int64, ending: Ending,
    usage: ResourceUsage = ResourceUsage(), interruption: Int32? = nil
  ) {
    self.processID = processID
    self.path = path
    self.execTime = execTime
    self.exitTime = exitTime
    self.ending = ending
    self.usage = usage
    self.interruption = interruption
  }

  /// How a program ended.
  public enum Ending: Sendable, Equatable {
    case exited(status: Int32)
    case signalled(signal: Int32)
    /// It ran out of time and was ended.
    case timedOut
  }

  public var succeeded: Bool { ending == .exited(status: 0) || wasEndedWhenReady }
}

/// What a process and the children it waited for used: getrusage(2).
public struct ResourceUsage: Sendable, Equatable {
  /// ns
  public var userTime: UInt64 = 0
  /// ns
  public var systemTime: UInt64 = 0
  /// Peak resident size, bytes; nil when unknown: Linux carries the launcher's own peak over into the program, so that
  /// a value not above it says nothing.
  public var peakResidentBytes: UInt64?
  public var minorFaults: UInt64 = 0
  public var majorFaults: UInt64 = 0
  public var voluntarySwitches: UInt64 = 0
  public var involuntarySwitches: UInt64 = 0
  /// Read from disk.
  public var readBytes: UInt64 = 0

  public init() {}
}
