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
  /// How much earlier it may have happened, ns: the time since the previous look. Of output, which is reported as an event, how long
  /// the watch then waited for a processor.
  package var error: Int64 = 0
  /// For people: `port 8080`, or the matching line; may be empty.
  package var detail = ""

  /// Whether the program's own output is the signal.
  var isOutput: Bool { kind == .output || kind == .match }

  /// A program writes before it ends. If the signal can have been so early, it counts as given at the end. An error as small as the
  /// usual delay of an event is left out.
  func noLater(than exit: Int64) -> ReadySignal {
    guard isOutput else { return self }
    var signal = self
    if time > exit, time - exit <= error { (signal.time, signal.error) = (exit, error - (time - exit)) }
    if signal.error < Self.usualDelay { signal.error = 0 }
    return signal
  }

  /// ns.
  private static let usualDelay: Int64 = 100_000

  /// The name of the milestone in the trace.
  package var milestone: String { kind.rawValue }
}
