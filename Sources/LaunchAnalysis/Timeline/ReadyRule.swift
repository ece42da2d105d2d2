/// By which rule the launcher took a program to be ready.
public struct ReadyRule: Sendable, Equatable {
  /// `program` (its own milestone), `window`, `listen`, `stdout`, `notify`, `pattern`, `exit`, or one that is not known
  /// here.
  public var name: String
  /// A port, a path, a pattern; empty for none.
  public var argument = ""
  /// Nobody named one: the launcher took the first that applied.
  public var isDefault: Bool

  /// Whether a launch that ended at `endMilestone` lacks what the rule waits for.
  package func isMissed(_ endMilestone: String) -> Bool {
    name != "exit" && name != "program" && !MilestoneName.endsLaunch(endMilestone)
  }

  /// What the program had to do, for people: completes "it never ...".
  public var expectation: String {
    switch name {
    case "window": "showed a window"
    case "listen": argument.isEmpty ? "listened on a socket" : "listened on \(argument)"
    case "stdout": "wrote to its standard output"
    case "notify": "sent READY=1 to NOTIFY_SOCKET"
    case "pattern": "wrote what \(argument) matches"
    default: "was ready by the rule \(name)"
    }
  }

  /// What it did, for people.
  public var event: String {
    switch name {
    case "program": "its own milestone"
    case "window": "its first window"
    case "listen": "it listens"
    case "stdout": "its first output"
    case "notify": "READY=1"
    case "pattern": "\(argument) in its output"
    case "exit": "its exit"
    default: name
    }
  }
}
