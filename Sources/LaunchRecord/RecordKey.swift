// SPDX-License-Identifier: Apache-2.0

/// The keys of a launch record: docs/launch-record.md. An enumeration exports fewer names than constants do (D224).
package enum RecordKey: String, Sendable {
  case record, id, time, program, version, build
  case os, osVersion, arch, cpu, cores, memoryMiB, machine
  case kind, reason, context
  case outcome, end, total, budget, withinBudget, cpuTime
  case recorder, profiler, sample

  /// Prefixes of names.
  case phases = "phase."
  /// Start of a phase that ran only once.
  case phaseStarts = "at."
  case milestones = "milestone."
  case states = "state."
  case overBudget = "over."
  case counts = "count."
  case metadata = "meta."

  // Names of counts.
  case libraries, relocations, majorFaults, minorFaults, threads, dropped
}

/// How a launch ended.
package enum RecordOutcome: String, Sendable {
  case completed, failed, timeout
}
