// SPDX-License-Identifier: Apache-2.0

/// The keys of a launch record: docs/launch-record.md. Computed, because the loader would have to relocate stored strings
/// at each start of a program with the recorder (D224).
package enum RecordKey {
  /// The version of the format.
  package static var format: Int64 { 1 }

  package static var record: String { "record" }
  package static var id: String { "id" }
  package static var time: String { "time" }
  package static var program: String { "program" }
  package static var version: String { "version" }
  package static var build: String { "build" }
  package static var os: String { "os" }
  package static var osVersion: String { "osVersion" }
  package static var arch: String { "arch" }
  package static var cpu: String { "cpu" }
  package static var cores: String { "cores" }
  package static var memoryMiB: String { "memoryMiB" }
  package static var machine: String { "machine" }
  package static var kind: String { "kind" }
  package static var reason: String { "reason" }
  package static var context: String { "context" }
  package static var outcome: String { "outcome" }
  package static var end: String { "end" }
  package static var total: String { "total" }
  package static var budget: String { "budget" }
  package static var withinBudget: String { "withinBudget" }
  package static var cpuTime: String { "cpuTime" }
  package static var recorder: String { "recorder" }
  package static var profiler: String { "profiler" }
  package static var sample: String { "sample" }

  /// Prefixes of names.
  package static var phases: String { "phase." }
  /// Start of a phase that ran only once.
  package static var phaseStarts: String { "at." }
  package static var milestones: String { "milestone." }
  package static var states: String { "state." }
  package static var overBudget: String { "over." }
  package static var counts: String { "count." }
  package static var metadata: String { "meta." }

  // Names of counts.
  package static var libraries: String { "libraries" }
  package static var relocations: String { "relocations" }
  package static var majorFaults: String { "majorFaults" }
  package static var minorFaults: String { "minorFaults" }
  package static var threads: String { "threads" }
}

/// How a launch ended.
package enum RecordOutcome: String, Sendable {
  case completed, failed, timeout
}
