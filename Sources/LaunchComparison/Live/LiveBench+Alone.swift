// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchObserver

extension LiveBench {
  /// Launches the program without another one to compare it with.
  func measure(
    in directory: String, _ progress: inout some LiveProgress
  ) throws -> (result: GateResult, interruption: Int32?) {
    let place = try TracePlace(output: directory + "/", program: program, runs: 2, option: tracesOption)
    let head = RecordingExecutor.Program(
      name: program, path: program, arguments: arguments, place: place, directory: directories.head)
    let recorder = try recorder(to: place)
    let askForSignal = recorder.askForSignal
    var executor = RecordingExecutor([.head: head], recorder: recorder)
    var series = LiveSeries(
      warmups: warmups, most: maxRuns ?? Self.mostLaunches, stopsWhenKnown: maxRuns == nil,
      mostTime: ownTime, tail: options.tail)
    series.areBudgetsDecided = { areBudgetsDecided([], $0) }
    let outcome = try series.run(with: &executor, telling: &progress)
    let time = series.clock.elapsed()
    var (launches, interruption) = (outcome.launches, outcome.interruption)
    var notes: [String] = []
    if interruption == nil, !details.isEmpty {
      let watched = try watch(.head, &executor, in: directory, &notes, &interruption)
      if let watched { launches = launches.map { $0.with(firstTimesOf: watched) } }
    }
    interruption = interruption ?? askForSignal()
    _ = consume executor
    var result = GateResult(comparison: nil, launches: launches)
    result.stopped = outcome.stopped
    (result.pace, result.tail) = (pace(launches.count, time, most: launches.count), options.tail)
    result.notes = notes
    let counted = launches.filter { $0.leftOut == nil }
    if !counted.isEmpty {
      result.summary = [0.5, 0.9, 0.95, 0.99].map { fraction in
        BudgetCheck(unlimited: .total, fraction: fraction, of: counted, tail: options.tail)
      }
    }
    return (result, interruption)
  }
}
