/// The keys of a launch record: docs/launch-record.md.
package enum RecordKey {
  /// The version of the format.
  package static let format: Int64 = 1

  package static let record = "record"
  package static let id = "id"
  package static let time = "time"
  package static let program = "program"
  package static let version = "version"
  package static let build = "build"
  package static let os = "os"
  package static let osVersion = "osVersion"
  package static let arch = "arch"
  package static let cpu = "cpu"
  package static let cores = "cores"
  package static let memoryMiB = "memoryMiB"
  package static let machine = "machine"
  package static let kind = "kind"
  package static let reason = "reason"
  package static let context = "context"
  package static let outcome = "outcome"
  package static let end = "end"
  package static let total = "total"
  package static let budget = "budget"
  package static let withinBudget = "withinBudget"
  package static let cpuTime = "cpuTime"
  package static let recorder = "recorder"
  package static let profiler = "profiler"
  package static let sample = "sample"

  /// Prefixes of names.
  package static let phases = "phase."
  /// Start of a phase that ran only once.
  package static let phaseStarts = "at."
  package static let milestones = "milestone."
  package static let states = "state."
  package static let overBudget = "over."
  package static let counts = "count."
  package static let metadata = "meta."

  // Names of counts.
  package static let libraries = "libraries"
  package static let relocations = "relocations"
  package static let majorFaults = "majorFaults"
  package static let minorFaults = "minorFaults"
  package static let threads = "threads"
}

/// How a launch ended.
package enum RecordOutcome: String, Sendable {
  case completed, failed, timeout
}
