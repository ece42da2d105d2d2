// SPDX-License-Identifier: Apache-2.0

/// Why requested parts of a recording are missing, for people. Empty: nothing is missing.
package struct RecordingShortcomings: Sendable, Equatable {
  /// Times of libraries and initialisers, by the agent.
  package var loader = ""
  /// What threads waited for, from the kernel's scheduler.
  package var scheduling = ""
  /// Stacks of the main thread, by stops.
  package var stacks = ""
  /// Swift's runtime, by probes or breakpoint instructions.
  package var runtime = ""
  /// Parts of it: look-ups, and calls that are counted.
  package var lookups = ""
  package var calls = ""
  /// Why something of Swift's runtime was not watched; empty when it was.
  package func reason(for detail: RuntimeDetail) -> String {
    if !runtime.isEmpty { return runtime }
    return switch detail {
    case .globals: ""
    case .conformances: lookups
    case .calls: calls
    }
  }

  /// Everything that perf events tell: stacks, other processes.
  package var observer = ""
  /// A program that lost its rights because it was traced. Unlike the others, this changed the launch.
  package var rights = ""
  /// What a program with the library records itself.
  package var recorder = ""
  /// The first output, which ends a launch without `--ready`.
  package var ready = ""
  /// Output of the program that was read for `--ready`, and that no file took.
  package var output = ""
  /// Removal of files from the page cache.
  package var cold = ""
}
