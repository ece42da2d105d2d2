// SPDX-License-Identifier: Apache-2.0

/// Whether a person waits for the launch. The trace contains the raw values.
public enum LaunchContext: String, Sendable, CaseIterable {
  /// A person started the program, or waits for its answer.
  case userLaunch
  /// No person waits. The program has little time, and nothing to show.
  case backgroundLaunch
  /// The system runs a part of the launch ahead of time, possibly hours before the user starts the program.
  case prewarming
  case uncertain
}
