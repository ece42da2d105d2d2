// SPDX-License-Identifier: Apache-2.0

/// Something about a launch that the reader should know. Ids are stable.
package struct Finding: Sendable, Equatable {
  /// The unit of `expected` and `actual`.
  package enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case count
  }

  package var id: String
  package var unit: Unit = .nanoseconds
  package var expected: Int64
  package var actual: Int64
  /// Name of the phase, interval or milestone.
  package var subject: String
  /// Names of the spans around the subject, outermost first.
  package var path: [String] = []
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// How often it occurred. `actual` is the worst occurrence.
  package var occurrences = 1
  /// How many of the occurrences have another subject. Each of these took less than `actual`.
  package var others = 0
  /// For a finding from samples: how far `actual` may be off, ns.
  package var error: Int64? = nil
  /// Source file and line; nil if unknown.
  package var file: String? = nil
  package var line: Int? = nil
  /// What shows it, the strongest first.
  package var evidence: [Evidence] = []
  /// One line that names the next step.
  package var advice: String

  /// The top-level phase that it began in or belongs to; nil if the trace has no phases.
  package var phase: String? = nil
}

/// Something in the trace that a finding rests on.
package struct Evidence: Sendable, Equatable {
  package enum Kind: String, Sendable {
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
    /// Anything else that is known.
    case note
  }

  package var kind: Kind
  package var text: String
  /// The part of the finding that it explains, ns; nil where that means nothing.
  package var time: Int64?

  package init(_ kind: Kind, _ text: String, time: Int64? = nil) {
    (self.kind, self.text, self.time) = (kind, text, time)
  }
}

/// The ids of findings.
package enum FindingName {
  package static let launchOverBudget = "launch-over-budget"
  package static let milestoneOverBudget = "milestone-over-budget"
  package static let phaseOverBudget = "phase-over-budget"
  package static let mainThreadOverBudget = "main-thread-over-budget"
  package static let intervalOverBudget = "interval-over-budget"
  package static let mainThreadBlockedIO = "main-thread-blocked-io"
  package static let mainThreadWaiting = "main-thread-waiting"
  package static let launchWaiting = "launch-waiting"
  package static let mainThreadRunnable = "main-thread-runnable"
  package static let mainThreadInKernel = "main-thread-in-kernel"
  package static let cpuContention = "cpu-contention"
  package static let dlopenAtLaunch = "dlopen-at-launch"
  package static let oneTimeSetupRepeated = "one-time-setup-repeated"
  package static let relocationHeavyLibrary = "relocation-heavy-library"
  package static let slowStaticInitializer = "slow-static-initializer"
  package static let slowLazyGlobal = "slow-lazy-global"
  package static let lazyGlobalContended = "lazy-global-contended"
  package static let expensiveFirstUse = "expensive-first-use"
  package static let conformanceLookupsHeavy = "conformance-lookups-heavy"
  package static let unattributedTime = "unattributed-time"
  package static let debugBuild = "debug-build"
  package static let failedLaunch = "failed-launch"
  package static let eventsDropped = "events-dropped"
  package static let initializersUntimed = "initializers-untimed"
  package static let recorderOverhead = "recorder-overhead"
  package static let suspended = "suspended"
  package static let traceDamaged = "trace-damaged"
  package static let coldNotProven = "cold-not-proven"
  package static let notInstrumented = "not-instrumented"
}
