// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
package import LaunchObserver

/// Launches the sides of a live comparison, one launch at a time. A program that is measured alone is the head.
package protocol SideExecutor: ~Copyable {
  /// Launches `side` once.
  ///
  /// - Throws: `LaunchError` when the program cannot be launched, `TraceError` when its trace cannot be read.
  mutating func launch(_ side: RoundOrder.Side, _ run: PlannedRun) throws -> LiveLaunch
}

/// The result of one launch of a live comparison.
package struct LiveLaunch: Sendable {
  /// nil for a warm-up, and for a launch that the user interrupted: the signal reached the program, too.
  package var measurement: Measurement?
  /// The signal by which the user asked to stop during the launch.
  package var interruption: Int32?
  /// Whether its time was over before it ended.
  package var hasTimedOut: Bool

  package init(measurement: Measurement?, interruption: Int32? = nil, hasTimedOut: Bool = false) {
    self.measurement = interruption == nil ? measurement : nil
    (self.interruption, self.hasTimedOut) = (interruption, hasTimedOut)
  }
}
