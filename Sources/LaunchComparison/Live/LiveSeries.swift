// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchObserver

/// Launches one program a given number of times, until its median is known, or until its budgets are decided.
package struct LiveSeries {
  package var warmups: Int
  package var most: Int
  /// Whether to stop before `most` if the median is known.
  package var stopsWhenKnown: Bool
  /// ns
  package var mostTime: Int64
  /// The allowed error on each side of the median's interval.
  package var tail: Double
  package var clock: LiveClock
  /// Whether the budgets of a gate need no further launches. While they do, more than `most` are made.
  package var areBudgetsDecided: ([Measurement]) -> Bool = { _ in true }

  package init(
    warmups: Int, most: Int, stopsWhenKnown: Bool, mostTime: Int64, tail: Double, clock: LiveClock = .starting()
  ) {
    (self.warmups, self.most, self.stopsWhenKnown) = (warmups, most, stopsWhenKnown)
    (self.mostTime, self.tail, self.clock) = (mostTime, tail, clock)
  }

  /// The median is known if its interval is this narrow on each side.
  private static let precision = 0.02
  /// The number of launches between two evaluations.
  private static let step = 10
  /// Undecided budgets double the number of launches this many times at most: each look adds its error.
  package static let mostDoublings = 2

  /// The result of the launches.
  package struct Outcome {
    package var launches: [Measurement]
    /// The signal by which the user asked to stop.
    package var interruption: Int32?
    /// Why it stopped before all launches were made; nil if no more were needed.
    package var stopped: String?
  }

  /// - Throws: what the executor throws.
  package func run<Executor: SideExecutor & ~Copyable>(
    with executor: inout Executor, telling progress: inout some LiveProgress
  ) throws -> Outcome {
    var launches: [Measurement] = []
    defer { progress.clear() }
    for number in 0..<warmups {
      let run = PlannedRun(number: number + 1, count: warmups, isWarmup: true)
      progress.starting(run, done: number, most: most + warmups)
      let launch = try executor.launch(.head, run)
      if let signal = launch.interruption { return Outcome(launches: [], interruption: signal) }
      guard clock.elapsed() >= mostTime else { continue }
      if launch.hasTimedOut { return Outcome(launches: [], stopped: LiveRounds.hanging("")) }
      // At least one launch is measured.
      break
    }
    var (most, doublings, failures) = (most, 0, 0)
    var stopped: String?
    while launches.count < most {
      let run = PlannedRun(number: launches.count + 1, count: most, isWarmup: false)
      progress.starting(run, done: launches.count + warmups, most: most + warmups)
      let launch = try executor.launch(.head, run)
      launches += [launch.measurement].compactMap(\.self)
      if let signal = launch.interruption { return Outcome(launches: Measurement.set(launches), interruption: signal) }
      failures += launch.measurement?.leftOut == .failed ? 1 : 0
      if failures >= LiveRounds.mostFailures, launches.count < most {
        stopped = "\(failures) launches failed"
        break
      }
      if stopsWhenKnown, launches.count % Self.step == 0, isKnown(launches) { break }
      if clock.elapsed() >= mostTime {
        let isOpen = doublings < Self.mostDoublings && !areBudgetsDecided(Measurement.set(launches))
        if launches.count < most || isOpen { stopped = LiveRounds.timeIsOver }
        break
      }
      if launches.count == most, doublings < Self.mostDoublings, !areBudgetsDecided(Measurement.set(launches)) {
        (most, doublings) = (2 * most, doublings + 1)
        progress.tell("A budget is inconclusive after \(launches.count) launches: up to \(most) are made.")
      }
    }
    return Outcome(launches: Measurement.set(launches), stopped: stopped)
  }

  private func isKnown(_ launches: [Measurement]) -> Bool {
    let totals = launches.filter { $0.leftOut == nil }.compactMap { $0.values[.total] }
    guard !totals.isEmpty else { return false }
    let median = QuantileInterval(totals, fraction: 0.5, tail: tail)
    return median.upper.isFinite && median.lower.isFinite
      && max(median.upper - median.estimate, median.estimate - median.lower) <= Self.precision * median.estimate
  }
}
