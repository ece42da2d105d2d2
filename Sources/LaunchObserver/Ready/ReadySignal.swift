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
  /// The program listened on another socket before, which is closed.
  var followsClosedSocket = false

  /// The value of `--ready` that this signal meets, for people. `listen` alone would be met by the socket that is closed.
  package var rule: String {
    if kind == .window { return "window" }
    return followsClosedSocket && detail.hasPrefix("port ") ? "listen:\(detail.dropFirst(5))" : "listen"
  }

  /// Whether the program's own output is the signal.
  var isOutput: Bool { kind == .output || kind == .match }

  /// A program writes before it ends. If the signal can have been so early, it counts as given at the end.
  func noLater(than exit: Int64) -> ReadySignal {
    time - exit <= error ? limited(to: exit) : self
  }

  /// This signal, if it is output that was given by `end` at the latest, ns.
  func limited(to end: Int64) -> ReadySignal {
    guard isOutput, time > end else { return self }
    var signal = self
    (signal.time, signal.error) = (end, max(0, error - (time - end)))
    return signal
  }

  /// Without an error that says nothing: of output, one as small as the usual delay of an event, or a hundredth of the launch.
  ///
  /// - Parameter start: of the launch, CLOCK_MONOTONIC ns.
  func rounded(since start: Int64) -> ReadySignal {
    guard isOutput, error < max(Self.usualDelay, (time - start) / 100) else { return self }
    var signal = self
    signal.error = 0
    return signal
  }

  /// ns.
  private static let usualDelay: Int64 = 100_000

  /// The name of the milestone in the trace.
  package var milestone: String { kind.rawValue }
}
