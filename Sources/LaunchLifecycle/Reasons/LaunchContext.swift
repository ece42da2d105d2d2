/// Whether a person waits for the launch. The raw values are those of the trace.
public enum LaunchContext: String, Sendable, CaseIterable {
  /// A person started the program, or waits for its answer.
  case userLaunch
  /// No person waits. The program has little time, and nothing to show.
  case backgroundLaunch
  /// The system runs part of the launch ahead of time, possibly hours before.
  case prewarming
  case uncertain
}
