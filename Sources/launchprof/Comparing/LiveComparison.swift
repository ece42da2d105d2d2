import LaunchAnalysis
import LaunchObserver
import LaunchTrace

/// Launches two programs in turns, in random order within each round, until the comparison knows.
struct LiveComparison {
  /// One side: what is launched, and where its traces go.
  struct Side {
    var program: String
    var arguments: [[UInt8]]
    var place: TracePlace
    /// ns by which each launch is made slower.
    var delay: Int64 = 0
  }

  var base: Side
  var head: Side
  var warmups: Int
  var plan: SequentialPlan
  /// ns; nil for no limit.
  var mostTime: Int64?
  var options: ComparisonOptions
  var progress: LiveProgress

  /// What the rounds came to.
  struct Outcome {
    var comparison: LaunchComparison
    var rounds: Int
    /// The signal by which somebody asked to stop.
    var interruption: Int32?
    /// Why it stopped before it knew; nil when it knew.
    var stopped: String?
  }

  /// Launches that failed, after which there is no point in going on.
  private static let mostFailures = 3

  /// - Throws: `LaunchError` when a program cannot be launched; `TraceError` when its trace cannot be read.
  mutating func run(with recorder: inout LaunchRecorder) throws -> Outcome {
    var measured: [RoundOrder.Side: [Measurement]] = [.base: [], .head: []]
    var order = RoundOrder(seed: options.seed)
    let start = ContinuousClock.now
    defer { progress.clear() }
    if let signal = try warmUp(&recorder) { return outcome(measured, rounds: 0, look: 0, interruption: signal) }
    for round in 1...(plan.looks.last ?? 1) {
      for side in order.next() {
        progress.starting(round: round)
        let (measurement, result) = try launch(side, round: round, &recorder)
        measured[side]?.append(measurement)
        if let signal = result.interruption {
          return outcome(measured, rounds: round, look: look(of: round), interruption: signal)
        }
      }
      let failures = measured.values.joined().count { $0.leftOut == .failed }
      if failures >= Self.mostFailures {
        return outcome(measured, rounds: round, look: look(of: round), stopped: "launches fail")
      }
      let isLate = mostTime.map { start.duration(to: .now) >= .nanoseconds($0) } ?? false
      guard let place = plan.looks.firstIndex(of: round) ?? (isLate ? look(of: round) : nil) else { continue }
      let current = outcome(measured, rounds: round, look: place)
      progress.show(current.comparison, round: round)
      if case .decided(let verdict) = current.comparison.outcome, !verdict.isInconclusive { return current }
      // What differs in the environment will differ in the next round, too.
      if current.comparison.outcome == .incomparable { return current }
      if isLate { return outcome(measured, rounds: round, look: place, stopped: "its time is up") }
    }
    let rounds = plan.looks.last ?? 1
    return outcome(measured, rounds: rounds, look: plan.looks.count - 1, stopped: "\(rounds) rounds were the most")
  }

  /// The look whose error a round between two looks may spend: the one that would come next.
  private func look(of round: Int) -> Int { plan.looks.firstIndex { $0 >= round } ?? plan.looks.count - 1 }

  private func outcome(
    _ measured: [RoundOrder.Side: [Measurement]], rounds: Int, look: Int, interruption: Int32? = nil,
    stopped: String? = nil
  ) -> Outcome {
    var options = options
    options.lookTail = plan.tails[look]
    return Outcome(
      comparison: LaunchComparison(
        base: measured[.base] ?? [], head: measured[.head] ?? [], options: options), rounds: rounds,
      interruption: interruption, stopped: interruption == nil ? stopped : "it was interrupted")
  }

  private func warmUp(_ recorder: inout LaunchRecorder) throws -> Int32? {
    for number in 0..<warmups {
      for side in [base, head] {
        turn(&recorder, to: side, .base)
        let run = PlannedRun(number: number + 1, count: warmups, isWarmup: true)
        if let signal = try recorder.execute(run).interruption { return signal }
      }
    }
    return nil
  }

  private func launch(
    _ side: RoundOrder.Side, round: Int, _ recorder: inout LaunchRecorder
  ) throws -> (Measurement, LaunchResult) {
    turn(&recorder, to: side == .base ? base : head, side)
    let result = try recorder.execute(PlannedRun(number: round, count: plan.looks.last ?? 1, isWarmup: false))
    let path = recorder.launches.last?.path ?? ""
    let timeline = LaunchTimeline(trace: try TraceReader().read(path: path))
    // Alone in its set, a launch of any population counts.
    let set = LaunchSet([timeline], names: [path])
    return (Measurement(set.launches[0]), result)
  }

  private func turn(_ recorder: inout LaunchRecorder, to side: Side, _ name: RoundOrder.Side) {
    recorder.turn(
      to: side.program, arguments: side.arguments, place: side.place, side: name.rawValue, delay: side.delay)
  }
}
