// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchTimeline {
  /// Phases of other threads that a report shows.
  func parallelPhases(mainThreadOnly: Bool) -> [Phase] { mainThreadOnly ? [] : parallelPhases }
}
