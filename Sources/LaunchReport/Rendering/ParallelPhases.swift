// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchTimeline {
  /// Phases of other threads that a report shows.
  func parallelPhases(mainThreadOnly: Bool) -> [Phase] { mainThreadOnly ? [] : parallelPhases }
}

extension LaunchSet {
  /// Phases that a report shows: all, or those of the main thread.
  func phases(mainThreadOnly: Bool) -> [PhaseStatistics] { phases.filter { !mainThreadOnly || !$0.isParallel } }
}
