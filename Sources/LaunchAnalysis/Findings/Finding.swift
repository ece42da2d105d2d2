// SPDX-License-Identifier: Apache-2.0

/// Something about a launch that the reader should know. Ids are stable.
package struct Finding: Sendable, Equatable {
  /// The unit of `expected` and `actual`.
  package enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case count
  }

  package enum Sum: String, Sendable {
    /// Those with this subject.
    case own
    /// Also those with other subjects.
    case all
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
  /// How often it occurred. Without `sum`, `actual` is the worst occurrence.
  package var occurrences = 1
  /// How many of the occurrences have another subject. Each of these took less than `actual`.
  package var others = 0
  /// Of which occurrences `actual` is the sum; nil for none.
  package var sum: Sum? = nil
  /// For a finding from samples: how far `actual` may be off, ns.
  package var error: Int64? = nil
  /// Source file and line; nil if unknown.
  package var file: String? = nil
  package var line: Int? = nil
  /// What shows it, the strongest first.
  package var evidence: [Evidence] = []
  /// One line that names the next step.
  package var advice: String
  /// What the evidence lists, if the advice points to it: `the longest`.
  package var listed: String? = nil

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
