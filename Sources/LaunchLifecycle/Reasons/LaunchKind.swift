// SPDX-License-Identifier: Apache-2.0

/// What existed of the program before the launch. The trace contains the raw values.
public enum LaunchKind: String, Sendable, CaseIterable {
  /// The first launch of an installation, which ran one-time set-up.
  case first
  /// The program's files were not in memory, so the system read them from the disk.
  case cold
  /// The process is new, and the program's files were in memory.
  case warm
  /// The program was already running, and took over the launch from this process.
  case resume
  /// The files were partly in memory, or the kind is unknown.
  case uncertain
}
