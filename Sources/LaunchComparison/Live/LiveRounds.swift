// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchObserver

/// Launches two programs in turns, in random order within each round, until the result is certain.
package struct LiveRounds {
  package var warmups: Int
  package var plan: SequentialPlan
  /// ns; nil for no limit.
  package var mostTime: Int64?
  package var options: ComparisonOptions
  package var clock: LiveClock
  /// Whether the budgets of a gate need no further launches. A comparison that is decided early may leave them open.
  package var areBudgetsDecided: (LaunchComparison) -> Bool = { _ in true }

  /// The result of the rounds.
  package struct Outcome {
    package var comparison: LaunchComparison
    package var rounds: Int
    /// ns, with the warm-ups
    package var time: Int64
    /// The signal by which the user asked to stop.
    package var interruption: Int32?
    /// Why it stopped before the result was certain; nil if it was.
    package var stopped: String?
  }

  /// After this many failed launches, the comparison stops.
  static let mostFailures = 3
  static let timeIsOver = "--max-time is over"

  package init(
    warmups: Int, plan: SequentialPlan, mostTime: Int64?, options: ComparisonOptions, clock: LiveClock = .starting()
  ) {
    (self.warmups, self.plan, self.mostTime) = (warmups, plan, mostTime)
    (self.options, self.clock) = (options, clock)
  }

  private var most: Int { plan.looks.last ?? 1 }

  /// - Throws: what the executor throws.
  package func run<Executor: SideExecutor & ~Copyable>(
    with executor: inout Executor, telling progress: inout some LiveProgress
  ) throws -> Outcome {
    var measured: [RoundOrder.Side: [Measurement]] = [.base: [], .head: []]
    var order = RoundOrder(seed: options.seed)
    defer { progress.clear() }
    var decided: Outcome?
    if let signal = try warmUp(&executor) { return outcome(measured, rounds: 0, look: 0, interruption: signal) }
    for round in 1...most {
      for side in order.next() {
        progress.starting(round: round, most: most)
        let launch = try executor.launch(side, PlannedRun(number: round, count: most, isWarmup: false))
        if let measurement = launch.measurement { measured[side]?.append(measurement) }
        if let signal = launch.interruption {
          return outcome(measured, rounds: round, look: look(of: round), interruption: signal)
        }
      }
      let failures = measured.values.joined().count { $0.leftOut == .failed }
      if failures >= Self.mostFailures {
        return outcome(measured, rounds: round, look: look(of: round), stopped: "\(failures) launches failed")
      }
      let isLate = mostTime.map { clock.elapsed() >= $0 } ?? false
      guard let place = plan.looks.firstIndex(of: round) ?? (isLate ? look(of: round) : nil) else { continue }
      let current = outcome(measured, rounds: round, look: place)
      progress.show(current.comparison, round: round, most: most)
      if case .decided(let verdict) = current.comparison.outcome, !verdict.isInconclusive {
        decided = current
        if verdict == .regressed || areBudgetsDecided(current.comparison) { return current }
      }
      // A difference in the environment stays in all rounds.
      if current.comparison.outcome == .incomparable { return current }
      if isLate { return decided ?? outcome(measured, rounds: round, look: place, stopped: Self.timeIsOver) }
    }
    return decided
      ?? outcome(measured, rounds: most, look: plan.looks.count - 1, stopped: "\(most) rounds is the maximum")
  }

  /// The look whose share of the error a round between two looks may use: the next one.
  private func look(of round: Int) -> Int { plan.looks.firstIndex { $0 >= round } ?? plan.looks.count - 1 }

  private func outcome(
    _ measured: [RoundOrder.Side: [Measurement]], rounds: Int, look: Int, interruption: Int32? = nil,
    stopped: String? = nil
  ) -> Outcome {
    var options = options
    options.lookTail = plan.tails[look]
    options.isLastLook = look == plan.looks.count - 1
    return Outcome(
      comparison: LaunchComparison(
        base: measured[.base] ?? [], head: measured[.head] ?? [], options: options), rounds: rounds,
      time: clock.elapsed(), interruption: interruption, stopped: interruption == nil ? stopped : "interrupted")
  }

  private func warmUp<Executor: SideExecutor & ~Copyable>(_ executor: inout Executor) throws -> Int32? {
    for number in 0..<warmups {
      for side in RoundOrder.Side.allCases {
        let run = PlannedRun(number: number + 1, count: warmups, isWarmup: true)
        if let signal = try executor.launch(side, run).interruption { return signal }
      }
    }
    return nil
  }
}
