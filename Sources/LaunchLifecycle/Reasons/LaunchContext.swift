/// Whether somebody waits for the launch. The raw values are the trace's.
public enum LaunchContext: String, Sendable, CaseIterable {
  /// A person started it, or waits for its answer.
  case userLaunch
  /// Nobody sees it: there is little time, and nothing to show.
  case backgroundLaunch
  /// The system runs part of the launch ahead of time, perhaps hours.
  case prewarming
  case uncertain
}
