// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// The scheduling of runs, without processes and without a clock.
struct RunSeriesTests {
  /// Returns given results, and records what it was asked for.
  struct ScriptedExecutor: RunExecutor {
    var endings: [LaunchResult.Ending]
    var interruptedRun: Int?
    var failingRun: Int?
    var seen: [PlannedRun] = []

    mutating func execute(_ run: PlannedRun) throws(LaunchError) -> LaunchResult {
      seen.append(run)
      if seen.count == failingRun { throw LaunchError(.notFound, path: "app", message: "no such program") }
      return LaunchResult(
        processID: 1, path: "/app", execTime: 0, exitTime: 1,
        ending: endings.count >= seen.count ? endings[seen.count - 1] : .exited(status: 0),
        interruption: seen.count == interruptedRun ? 2 : nil)
    }
  }

  @Test func warmUpsComeFirstAndAreCountedApart() throws {
    var executor = ScriptedExecutor(endings: [])
    let outcome = try RunSeries(runs: 3, warmups: 2).perform(with: &executor)
    #expect(
      executor.seen == [
        PlannedRun(number: 1, count: 2, isWarmup: true), PlannedRun(number: 2, count: 2, isWarmup: true),
        PlannedRun(number: 1, count: 3, isWarmup: false), PlannedRun(number: 2, count: 3, isWarmup: false),
        PlannedRun(number: 3, count: 3, isWarmup: false),
      ])
    #expect(outcome.completed == 3)
    #expect(outcome.firstFailure == nil)
    #expect(outcome.interruption == nil)
  }

  @Test func failuresDoNotEndASeriesAndTheFirstIsKept() throws {
    var executor = ScriptedExecutor(endings: [
      .exited(status: 0), .signalled(signal: 11), .exited(status: 3), .timedOut,
    ])
    let outcome = try RunSeries(runs: 5).perform(with: &executor)
    #expect(executor.seen.count == 5)
    #expect(outcome.firstFailure == .signalled(signal: 11))
    #expect(outcome.completed == 5)
  }

  @Test func aWarmUpThatFailsCounts() throws {
    var executor = ScriptedExecutor(endings: [.exited(status: 4)])
    #expect(try RunSeries(runs: 1, warmups: 1).perform(with: &executor).firstFailure == .exited(status: 4))
  }

  @Test func anInterruptionEndsTheSeriesBehindItsRun() throws {
    var executor = ScriptedExecutor(endings: [], interruptedRun: 2)
    let outcome = try RunSeries(runs: 9).perform(with: &executor)
    #expect(executor.seen.count == 2)
    #expect(outcome.completed == 2)
    #expect(outcome.interruption == 2)
  }

  @Test func aProgramThatCannotBeLaunchedEndsTheSeries() {
    var executor = ScriptedExecutor(endings: [], failingRun: 1)
    #expect(throws: LaunchError.self) { try RunSeries(runs: 9).perform(with: &executor) }
    #expect(executor.seen.count == 1)
  }

  @Test func eachRunIsAnnouncedBeforeItStarts() throws {
    var executor = ScriptedExecutor(endings: [])
    var announced: [Int] = []
    _ = try RunSeries(runs: 3, warmups: 1).perform(with: &executor) { announced.append($0.number) }
    #expect(announced == [1, 1, 2, 3])
  }

  @Test(arguments: [(0, -1), (-5, -5)]) func nonsenseIsOneRun(runs: Int, warmups: Int) {
    #expect(RunSeries(runs: runs, warmups: warmups).plan == [PlannedRun(number: 1, count: 1, isWarmup: false)])
  }
}
