// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The rule by which the launcher decided that a program was ready, as the trace says it.
package struct RecordedReadyRule: Sendable, Equatable {
  /// `program` (its own milestone), `window`, `listen`, `stdout`, `notify`, `pattern`, `http`, `exit`, or a rule that this
  /// version does not know.
  package var name: String
  /// A port, a path, a pattern, a URL; empty for none.
  package var argument = ""
  /// True if `--ready` was not given, so that the launcher used the first rule that applied.
  package var isDefault: Bool

  /// Whether a launch that ended at `endMilestone` did not reach what the rule waits for.
  func isMissed(_ endMilestone: String) -> Bool {
    name != LS_READY_EXIT && name != LS_READY_PROGRAM && !MilestoneName.endsLaunch(endMilestone)
  }

  /// What the program had to do. It completes "it never …".
  package var expectation: String {
    switch name {
    case LS_READY_WINDOW: "showed a window"
    case LS_READY_LISTEN: argument.isEmpty ? "listened on a socket" : "listened on \(argument)"
    case LS_READY_STDOUT: "wrote to its standard output"
    case LS_READY_NOTIFY: "sent READY=1 to NOTIFY_SOCKET"
    case LS_READY_PATTERN: "wrote a line that matches \(argument)"
    case LS_READY_HTTP: "answered a GET of \(argument) with a status of 200 to 299"
    default: "met the rule \(name)"
    }
  }

  /// In words: the event that made the program ready.
  package var event: String {
    switch name {
    case LS_READY_PROGRAM: "its own milestone"
    case LS_READY_WINDOW: "its first window"
    case LS_READY_LISTEN: "it listens"
    case LS_READY_STDOUT: "its first output"
    case LS_READY_NOTIFY: "READY=1"
    case LS_READY_PATTERN: "\(argument) in its output"
    case LS_READY_HTTP: "it answered \(argument)"
    case LS_READY_EXIT: "its exit"
    default: name
    }
  }
}
