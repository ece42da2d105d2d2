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
  package var areBudgetsDecided: (_ base: [Measurement], _ head: [Measurement]) -> Bool = { _, _ in true }

  /// The result of the rounds.
  package struct Outcome {
    /// As it was when it was decided.
    package var comparison: LaunchComparison
    /// All launches of each side, also those that only budgets needed after that.
    package var launches: (base: [Measurement], head: [Measurement])
    package var rounds: Int
    /// ns, with the warm-ups
    package var time: Int64
    /// The signal by which the user asked to stop.
    package var interruption: Int32?
    /// Why it stopped before the result was certain; nil if it was.
    package var stopped: String?

    /// After how many rounds the comparison was decided, if budgets needed more; nil otherwise.
    var decidedEarly: Int? { comparison.head.count < launches.head.count ? comparison.head.count : nil }

    /// The same rounds, with what one launch of each side did for the first time; nil for a side that tells nothing.
    package func with(firstTimesOf watched: (base: Measurement?, head: Measurement?)) -> Outcome {
      func added(_ launches: [Measurement], _ watched: Measurement?) -> [Measurement] {
        watched.map { watched in launches.map { $0.with(firstTimesOf: watched) } } ?? launches
      }
      var all = self
      all.launches = (added(launches.base, watched.base), added(launches.head, watched.head))
      all.comparison = LaunchComparison(
        base: added(comparison.base, watched.base), head: added(comparison.head, watched.head),
        options: comparison.options)
      return all
    }

    /// The same comparison, with the launches after it.
    fileprivate func extended(by later: Outcome) -> Outcome {
      var all = later
      (all.comparison, all.stopped) = (comparison, stopped)
      return all
    }
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
    if let end = try warmUp(&executor) {
      return outcome(measured, rounds: 0, look: 0, interruption: end.interruption, stopped: end.stopped)
    }
    for round in 1...most {
      for side in order.next() {
        progress.starting(round: round, most: most)
        let launch = try executor.launch(side, PlannedRun(number: round, count: most, isWarmup: false))
        if let measurement = launch.measurement { measured[side]?.append(measurement) }
        if let signal = launch.interruption {
          return outcome(measured, rounds: round, look: look(of: round), interruption: signal)
        }
        // The other side may hang for as long.
        if launch.hasTimedOut, isLate {
          return outcome(measured, rounds: round, look: look(of: round), stopped: Self.timeIsOver)
        }
      }
      let failures = measured.values.joined().count { $0.leftOut == .failed }
      if failures >= Self.mostFailures {
        return outcome(measured, rounds: round, look: look(of: round), stopped: "\(failures) launches failed")
      }
      let isLate = isLate
      guard let place = plan.looks.firstIndex(of: round) ?? (isLate ? look(of: round) : nil) else { continue }
      let current = outcome(measured, rounds: round, look: place)
      progress.show(current.comparison, round: round, most: most)
      if case .decided(let verdict) = current.comparison.outcome, !verdict.isInconclusive {
        // A count decides at the first look. The rounds go on until the time says what it costs.
        if verdict == .regressed {
          if isLate || round == most || current.comparison.total?.shift.isBounded != false { return current }
          continue
        }
        decided = current
      }
      // A difference in the environment stays in all rounds.
      if current.comparison.outcome == .incomparable { return current }
      // Once decided, it stays so, and only the budgets are open.
      let result = decided?.extended(by: current)
      if let result, areBudgetsDecided(current.launches.base, current.launches.head) || isLate || round == most {
        return result
      }
      if isLate { return outcome(measured, rounds: round, look: place, stopped: Self.timeIsOver) }
    }
    return outcome(measured, rounds: most, look: plan.looks.count - 1, stopped: "\(most) rounds is the maximum")
  }

  /// The look whose share of the error a round between two looks may use: the next one.
  private func look(of round: Int) -> Int { plan.looks.firstIndex { $0 >= round } ?? plan.looks.count - 1 }

  private func outcome(
    _ measured: [RoundOrder.Side: [Measurement]], rounds: Int, look: Int, interruption: Int32? = nil,
    stopped: String? = nil
  ) -> Outcome {
    var options = options
    (options.lookTail, options.looks) = (plan.tails[look], plan.looks.count)
    options.isLastLook = look == plan.looks.count - 1
    let comparison = LaunchComparison(base: measured[.base] ?? [], head: measured[.head] ?? [], options: options)
    return Outcome(
      comparison: comparison, launches: (comparison.base, comparison.head), rounds: rounds,
      time: clock.elapsed(), interruption: interruption, stopped: interruption == nil ? stopped : "interrupted")
  }

  private var isLate: Bool { mostTime.map { clock.elapsed() >= $0 } ?? false }

  /// Why it ends with that: the signal by which the user asked to stop, or a side that did not end in the whole time. nil to go on.
  private func warmUp<Executor: SideExecutor & ~Copyable>(
    _ executor: inout Executor
  ) throws -> (interruption: Int32?, stopped: String?)? {
    for number in 0..<warmups {
      for side in RoundOrder.Side.allCases {
        let run = PlannedRun(number: number + 1, count: warmups, isWarmup: true)
        let launch = try executor.launch(side, run)
        if let signal = launch.interruption { return (signal, nil) }
        if launch.hasTimedOut, isLate { return (nil, Self.hanging("of the \(side.rawValue) ")) }
      }
      // At least one round is made.
      if isLate { return nil }
    }
    return nil
  }

  /// - Parameter side: `of the base `, or nothing.
  static func hanging(_ side: String) -> String { "the launch \(side)to warm up did not end within --max-time" }
}
