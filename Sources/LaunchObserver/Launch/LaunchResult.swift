// SPDX-License-Identifier: Apache-2.0

/// One launch, from exec to exit, as seen from outside.
package struct LaunchResult: Sendable, Equatable {
  package var processID: Int32
  /// The path that was executed.
  package var path: String
  /// The file at that path when the launch began; nil if it is not known.
  var file: FileIdentity?
  /// CLOCK_MONOTONIC ns, right before execve.
  package var execTime: Int64
  /// CLOCK_MONOTONIC ns, when the program was reaped.
  package var exitTime: Int64
  package var ending: Ending
  package var usage = ResourceUsage()
  /// In how many periods of its CPU quota the control group was stopped.
  package var throttledPeriods: UInt64 = 0
  /// The signal that asked the launcher itself to stop during the launch (SIGINT, SIGTERM, …).
  package var interruption: Int32?
  /// When it was ready; nil if that was not watched.
  package var ready: ReadyOutcome?
  /// It was ended after it was ready, as requested; `ending` then describes that end.
  package var wasEndedWhenReady = false
  /// Before that, it recorded itself and did not mark the end of its launch in time.
  package var missedOwnEnd = false

  /// What showed that it was ready, if it was ended because it kept running after that (`LaunchRequest.lingeringLimit`).
  package var lingering: ReadySignal?

  /// How a program ended.
  package enum Ending: Sendable, Equatable {
    case exited(status: Int32)
    case signalled(signal: Int32)
    /// The time limit passed, and it was ended.
    case timedOut
  }

  /// It exited with a status other than 0 that the request names (`LaunchRequest.successes`).
  package var hasNamedStatus = false

  package var succeeded: Bool { ending == .exited(status: 0) || hasNamedStatus || wasEndedWhenReady }
}

/// What a process, and the children that it waited for, used: getrusage(2).
package struct ResourceUsage: Sendable, Equatable {
  /// ns
  package var userTime: UInt64 = 0
  /// ns
  package var systemTime: UInt64 = 0
  /// Peak resident size, bytes; nil if unknown. Linux lets the program inherit the launcher's own peak, so only a
  /// larger value is known to be the program's.
  package var peakResidentBytes: UInt64?
  package var minorFaults: UInt64 = 0
  package var majorFaults: UInt64 = 0
  package var voluntarySwitches: UInt64 = 0
  package var involuntarySwitches: UInt64 = 0
  /// Bytes read from disk.
  package var readBytes: UInt64 = 0
}
