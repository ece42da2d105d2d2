// SPDX-License-Identifier: Apache-2.0

/// One launch of a series.
package struct PlannedRun: Sendable, Equatable {
  /// From 1; warm-ups have their own numbers.
  package var number: Int
  /// The number of launches of its kind.
  package var count: Int
  /// Its results are not kept.
  package var isWarmup: Bool

  package init(number: Int, count: Int, isWarmup: Bool) {
    self.number = number
    self.count = count
    self.isWarmup = isWarmup
  }
}

/// Runs a launch of a series: on the system, or as a substitute in a test.
package protocol RunExecutor: ~Copyable {
  /// - Throws: `LaunchError` if further launches are pointless.
  mutating func execute(_ run: PlannedRun) throws(LaunchError) -> LaunchResult
}

/// Several launches of one program, warm-ups first.
package struct RunSeries: Sendable, Equatable {
  package var runs: Int
  package var warmups: Int

  package init(runs: Int, warmups: Int = 0) {
    self.runs = max(1, runs)
    self.warmups = max(0, warmups)
  }

  package var plan: [PlannedRun] {
    (0..<warmups).map { PlannedRun(number: $0 + 1, count: warmups, isWarmup: true) }
      + (0..<runs).map { PlannedRun(number: $0 + 1, count: runs, isWarmup: false) }
  }

  /// Launches one after the other. A request to stop (Ctrl-C) ends the series; a failed launch does not.
  ///
  /// - Parameter starting: called before each launch.
  package func perform<Executor: RunExecutor & ~Copyable>(
    with executor: inout Executor, starting: (PlannedRun) -> Void = { _ in }
  ) throws(LaunchError) -> SeriesOutcome {
    var outcome = SeriesOutcome()
    for run in plan {
      starting(run)
      let result = try executor.execute(run)
      if !run.isWarmup { outcome.completed += 1 }
      if outcome.firstFailure == nil, !result.succeeded { outcome.firstFailure = result.ending }
      if let signal = result.interruption {
        outcome.interruption = signal
        break
      }
    }
    return outcome
  }
}

/// The result of a series.
package struct SeriesOutcome: Sendable, Equatable {
  /// Completed launches, without warm-ups.
  package var completed = 0
  /// How the first launch ended that did not exit with 0, including warm-ups.
  package var firstFailure: LaunchResult.Ending?
  /// The signal that ended the series early.
  package var interruption: Int32?
}
