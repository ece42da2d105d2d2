package import LaunchAnalysis
package import LaunchObserver

/// Who is told how far a live comparison is. Nothing of it changes what is measured.
package protocol LiveProgress {
  /// A launch begins; `done` launches are over, warm-ups included. `most` is how many there can be.
  mutating func starting(_ run: PlannedRun, done: Int, most: Int)
  /// A launch of a round begins.
  mutating func starting(round: Int, most: Int)
  /// What the rounds until now say.
  mutating func show(_ comparison: LaunchComparison, round: Int, most: Int)
  /// A sentence that the user should read before the result.
  func tell(_ sentence: String)
  /// No launch follows, or a sentence is about to be written.
  func clear()
}
