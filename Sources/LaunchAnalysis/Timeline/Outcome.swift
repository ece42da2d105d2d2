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

/// Why and how the program was launched, as recorded.
package struct Labels: Sendable, Equatable {
  package var reason: String?
  package var context: String?
  /// cold, warm, first, …
  package var kind: String?
  package var version: String?
  package var build: String?
  /// The launch's ID, if the program gave one: docs/launch-record.md.
  package var id: String?
  /// The program's own deadline passed before its launch was complete.
  var hasTimedOut = false
  /// All other metadata, by key.
  package var other: [String: String] = [:]

  package init(reason: String? = nil, context: String? = nil, kind: String? = nil) {
    (self.reason, self.context, self.kind) = (reason, context, kind)
  }

  /// nil also if the program could not tell.
  package var knownKind: String? { kind == LS_LAUNCH_KIND_UNCERTAIN ? nil : kind }

  /// Why the program was launched and for whom, as far as the program could tell, for people.
  package var circumstances: [String] {
    [knownKind.map { "\($0) launch" }, reason, context].compactMap(\.self)
      .filter { $0 != LS_CONTEXT_UNCERTAIN && $0 != "unknown" }
  }

  /// For what the first scene was opened, for people: `shortcutItem (type, 19 bytes)`.
  package var sceneReasons: [String] {
    other.filter { $0.key.hasPrefix(LS_KEY_CONNECTION) }.sorted { $0.key < $1.key }
      .map { "\($0.key.dropFirst(LS_KEY_CONNECTION.count)) (\($0.value))" }
  }

  /// The kinds that a text names: the launcher names several, as in `first, page-cache cold`.
  static func kinds(_ kind: String) -> Set<String> {
    Set(kind.split(separator: ",").map { String($0.drop { $0 == " " }) })
  }
}

/// What recording cost in this launch.
package struct RecorderCost: Sendable, Equatable {
  /// Those of the launch, without what the program recorded after it.
  package var events: Int
  /// What the program recorded after the launch.
  package var laterEvents: Int
  /// Those during the launch on the track that has most of them.
  package var busiestEvents: Int
  /// ns each, as calibrated by the recorder.
  package var eventCost: Double
  /// CPU time of its start, ns: before `main`, or in the program's call.
  package var startupCost: Double
  /// Events that were not recorded.
  package var dropped: Int
  /// Initialisers that could not be timed.
  package var untimedInitializers: Int
  package var libraryVersion: String
  /// CPU time of all threads, ns.
  package var total: Double { startupCost + Double(events) * eventCost }
  /// By how much it delayed the launch at least, ns. Threads record at the same time.
  package var delay: Double { startupCost + Double(busiestEvents) * eventCost }
}
