// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// How the program ended, as the launcher observed it.
package enum Outcome: Sendable, Hashable {
  /// The end was not observed.
  case unknown
  case exited(status: Int32)
  /// It exited with a status other than 0, which the user named as a success.
  case succeeded(status: Int32)
  case signalled(signal: Int32)
  case timedOut
  /// The deadline that the program set passed before its launch was complete. How it ended was not observed.
  case deadlinePassed
  /// The launcher ended it when it was ready, as the user asked.
  case ended
  case failedToStart(reason: String)

  /// The name in the trace format.
  package var name: String {
    switch self {
    case .unknown: "unknown"
    case .exited, .succeeded: LS_OUTCOME_EXITED
    case .signalled: LS_OUTCOME_SIGNALLED
    case .timedOut, .deadlinePassed: LS_OUTCOME_TIMED_OUT
    case .ended: "ended"
    case .failedToStart: LS_OUTCOME_FAILED_TO_START
    }
  }

  package var isFailure: Bool {
    switch self {
    case .unknown, .ended, .succeeded, .exited(status: 0): false
    case .exited, .signalled, .timedOut, .deadlinePassed, .failedToStart: true
    }
  }
}

/// What the whole process used, from the launcher's `wait4` (rusage), with the children that it waited for.
package struct ProcessTotals: Sendable, Equatable {
  /// ns.
  package var userCPU: Int64
  /// ns.
  package var systemCPU: Int64
  /// nil if the launcher could not tell the program's peak from its own, which Linux carries over.
  package var maxResidentBytes: Int64?
  package var minorFaults: Int64
  package var majorFaults: Int64
  package var voluntarySwitches: Int64
  package var involuntarySwitches: Int64
  package var readBytes: Int64

  /// User and system time, ns.
  package var cpu: Int64 { userCPU + systemCPU }
  /// Whether the parts of `cpu` say something. The kernel divides it by what it saw at its ticks, which are up to 10 ms apart.
  package var isDivided: Bool { cpu >= 100_000_000 }
}

/// Where the program ran.
package struct Machine: Sendable, Equatable {
  package var host: String
  package var kernel: String
  package var cpuModel: String
  package var cpus: Int
  /// Those that the launch could use. A container or taskset(1) may have fewer than the machine.
  package var usableCPUs: Int
}

/// Which launch of a series this was.
package struct Run: Sendable, Equatable {
  /// From 1.
  package var number: Int
  package var count: Int
  package var isWarmUp: Bool
}
