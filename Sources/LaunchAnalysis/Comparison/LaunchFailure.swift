// SPDX-License-Identifier: Apache-2.0

/// How a launch failed.
package struct LaunchFailure: Sendable, Hashable {
  package var outcome: Outcome
  /// What the program had to do to be ready, and never did. It completes "it never …"; nil if it did all.
  package var missed: String?
  /// Nothing is known of its end, because that part of the trace is missing.
  package var lacksEnd = false

  package init(outcome: Outcome, missed: String? = nil) { (self.outcome, self.missed) = (outcome, missed) }

  package init(_ timeline: LaunchTimeline) {
    outcome = timeline.outcome
    lacksEnd = timeline.lacksEnd
    missed = lacksEnd ? nil : timeline.missed
  }
}
