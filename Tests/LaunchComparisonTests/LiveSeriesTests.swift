// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import Testing

/// One program, launched alone.
struct LiveSeriesTests {
  private var progress = FakeProgress()

  private func series(_ executor: FakeExecutor, most: Int, stopsWhenKnown: Bool, time: Int64 = .max) -> LiveSeries {
    LiveSeries(
      warmups: 1, most: most, stopsWhenKnown: stopsWhenKnown, mostTime: time, tail: 0.005, clock: executor.time.clock)
  }

  @Test mutating func theMedianIsKnownSooner() throws {
    var executor = FakeExecutor { _, round in 5e7 + Double(round % 5) * 1e5 }
    let known = try series(executor, most: 100, stopsWhenKnown: true).run(with: &executor, telling: &progress)
    #expect(known.launches.count == 10 && known.stopped == nil)
    #expect(executor.made.count == 11 && executor.made.allSatisfy { $0.side == .head })
  }

  @Test mutating func aNumberThatWasAskedForIsMade() throws {
    var executor = FakeExecutor { _, _ in 5e7 }
    let asked = try series(executor, most: 25, stopsWhenKnown: false).run(with: &executor, telling: &progress)
    #expect(asked.launches.count == 25 && asked.stopped == nil)
  }

  @Test mutating func timeAndTheUserEndIt() throws {
    var executor = FakeExecutor { _, _ in 5e7 }
    let timed = try series(executor, most: 25, stopsWhenKnown: false, time: 6_000_000_000)
      .run(with: &executor, telling: &progress)
    #expect(timed.launches.count == 5 && timed.interruption == nil && timed.stopped == "--max-time is over")
    executor = FakeExecutor { _, _ in 5e7 }
    executor.interruptedAt = 4
    let stopped = try series(executor, most: 25, stopsWhenKnown: false).run(with: &executor, telling: &progress)
    #expect(stopped.launches.count == 2 && stopped.interruption == 2 && stopped.stopped == nil)
  }

  /// Each of them may take as long as --timeout allows, and one is enough to fail a gate.
  @Test mutating func launchesThatFailEndIt() throws {
    var executor = FakeExecutor { _, round in round % 2 == 0 ? nil : 5e7 }
    let failing = try series(executor, most: 90, stopsWhenKnown: false).run(with: &executor, telling: &progress)
    #expect(failing.launches.count == 6 && failing.stopped == "3 launches failed")
    // All launches that were asked for are there.
    executor = FakeExecutor { _, _ in nil }
    let all = try series(executor, most: 3, stopsWhenKnown: false).run(with: &executor, telling: &progress)
    #expect(all.launches.count == 3 && all.stopped == nil)
  }

  @Test mutating func launchesOfAnotherPopulationAreLeftOut() throws {
    var executor = FakeExecutor { _, round in round == 2 ? nil : 5e7 }
    executor.kind = { $0 == 1 ? "first, page-cache cold" : "warm" }
    let mixed = try series(executor, most: 4, stopsWhenKnown: false).run(with: &executor, telling: &progress)
    #expect(mixed.launches.map(\.leftOut) == [.firstLaunch, .failed, nil, nil])
  }

  @Test(arguments: [(9, 9), (10, 18), (18, 18), (19, 36), (1000, 36)])
  mutating func openBudgetsDoubleTheLaunchesTwice(enough: Int, made: Int) throws {
    var executor = FakeExecutor { _, _ in 5e7 }
    var series = series(executor, most: 9, stopsWhenKnown: false)
    series.areBudgetsDecided = { $0.count >= enough }
    #expect(try series.run(with: &executor, telling: &progress).launches.count == made)
    #expect(executor.made.last?.run.count == made)
  }

  @Test mutating func timeAndTheUserAlsoEndOpenBudgets() throws {
    // The warm-up and each launch take a second.
    var executor = FakeExecutor { _, _ in 5e7 }
    var timed = series(executor, most: 9, stopsWhenKnown: false, time: 13_000_000_000)
    timed.areBudgetsDecided = { _ in false }
    #expect(try timed.run(with: &executor, telling: &progress).launches.count == 12)
    executor = FakeExecutor { _, _ in 5e7 }
    executor.interruptedAt = 12
    var stopped = series(executor, most: 9, stopsWhenKnown: false)
    stopped.areBudgetsDecided = { _ in false }
    let ended = try stopped.run(with: &executor, telling: &progress)
    #expect(ended.interruption == 2 && ended.launches.count == 10)
  }

  @Test mutating func warmUpsEndWithTheTime() throws {
    var executor = FakeExecutor { _, _ in 5e7 }
    var series = series(executor, most: 25, stopsWhenKnown: false, time: 2_000_000_000)
    series.warmups = 9
    let slow = try series.run(with: &executor, telling: &progress)
    #expect(executor.made.count == 3 && slow.launches.count == 1 && slow.stopped == "--max-time is over")
    executor = FakeExecutor { _, _ in 5e7 }
    executor.hanging = .head
    series.clock = executor.time.clock
    let hanging = try series.run(with: &executor, telling: &progress)
    #expect(executor.made.count == 1 && hanging.launches.isEmpty)
    #expect(hanging.stopped == "the launch to warm up did not end within --max-time")
  }
}
