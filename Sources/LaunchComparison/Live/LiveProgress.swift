// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
package import LaunchObserver

/// Receives the progress of a live comparison. It does not affect the measurement.
package protocol LiveProgress {
  /// A launch begins. `done` launches are over, including warm-ups. `most` is the largest possible number.
  mutating func starting(_ run: PlannedRun, done: Int, most: Int)
  /// A launch of a round begins.
  mutating func starting(round: Int, most: Int)
  /// The result of the rounds so far.
  mutating func show(_ comparison: LaunchComparison, round: Int, most: Int)
  /// A sentence for the user to read before the result.
  func tell(_ sentence: String)
  /// No launch follows, or a sentence is about to be written.
  func clear()
}
