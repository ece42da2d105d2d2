// SPDX-License-Identifier: Apache-2.0

/// An observation from outside that shows how far a program is.
package struct ReadySignal: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case window = "window-mapped"
    case listening
    case output = "first-output"
    case notification = "notified"
    case match = "output-matched"
    case answered
  }

  package var kind: Kind
  /// CLOCK_MONOTONIC, ns.
  package var time: Int64
  /// How much earlier it may have happened, ns: the time since the previous look. 0 if it was reported as an event.
  package var error: Int64 = 0
  /// For people: `port 8080`, or the matching line; may be empty.
  package var detail = ""

  /// The name of the milestone in the trace.
  package var milestone: String { kind.rawValue }
}
