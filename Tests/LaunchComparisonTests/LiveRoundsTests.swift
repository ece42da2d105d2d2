// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import Testing

/// Rounds of two programs, with simulated launches.
struct LiveRoundsTests {
  private var progress = FakeProgress()

  private func rounds(_ executor: FakeExecutor, warmups: Int = 1, most: Int = 320, time: Int64? = nil) -> LiveRounds {
    var options = ComparisonOptions()
    options.seed = 7
    return LiveRounds(
      warmups: warmups, plan: .doubling(maximum: most, tail: options.tail), mostTime: time, options: options,
      clock: executor.time.clock)
  }

  /// Launches of about 50 ms that vary by a few percent. The head's take `excess` longer.
  private static func scattered(excess: Double) -> (RoundOrder.Side, Int) -> Double? {
    { side, round in
      let noise = Double((round * 37 + (side == .base ? 0 : 11)) % 17) / 17
      return 5e7 * (1 + 0.04 * noise) * (side == .head ? 1 + excess : 1)
    }
  }

  @Test mutating func aClearDifferenceIsDecidedAtAnEarlyLook() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0.3))
    let outcome = try rounds(executor, warmups: 2).run(with: &executor, telling: &progress)
    #expect(outcome.comparison.outcome == .decided(.regressed))
    #expect(outcome.rounds <= 20 && outcome.stopped == nil && outcome.interruption == nil)
    #expect(progress.looks.last == outcome.rounds)
    let warmups = executor.made.prefix(4)
    #expect(warmups.allSatisfy(\.run.isWarmup) && warmups.map(\.side) == [.base, .head, .base, .head])
    // Each round has a launch of each side, and the order varies.
    let launches = executor.made.dropFirst(4)
    #expect(launches.count == 2 * outcome.rounds)
    let firsts = stride(from: launches.startIndex, to: launches.endIndex, by: 2).map { place in
      #expect(launches[place].run.number == launches[place + 1].run.number)
      #expect(launches[place].side != launches[place + 1].side)
      return launches[place].side
    }
    #expect(Set(firsts).count == 2)
  }

  /// No part grew for certain, because an early look has next to no error of the total.
  @Test mutating func anEarlyLookNamesThePartThatGrew() throws {
    let total = Self.scattered(excess: 0.3)
    var executor = FakeExecutor(total: total)
    executor.phases = { side, round in
      let same = Self.scattered(excess: 0)(side, round) ?? 0
      let others = (1...12).map { ("phase \($0)", same / 10) }
      return Dictionary(uniqueKeysWithValues: others + [("main", total(side, round) ?? 0)])
    }
    let outcome = try rounds(executor).run(with: &executor, telling: &progress)
    #expect(outcome.comparison.outcome == .decided(.regressed) && outcome.rounds < 320)
    #expect(outcome.comparison.guilty.map(\.metric.id) == ["phase/main"])
  }

  /// It stopped after ten rounds, which say nothing of the time, and told people to launch again.
  @Test(arguments: [0, 0.3]) mutating func aCountDecidesWhenTheTimeHasAnInterval(excess: Double) throws {
    var executor = FakeExecutor(total: Self.scattered(excess: excess))
    executor.libraries = { $0 == .base ? 2 : 3 }
    var rounds = rounds(executor)
    rounds.areBudgetsDecided = { _, _ in false }
    let outcome = try rounds.run(with: &executor, telling: &progress)
    #expect(outcome.comparison.outcome == .decided(.regressed) && outcome.stopped == nil)
    #expect(try #require(outcome.comparison.total).shift.isBounded && outcome.rounds < 320)
    // At the end, the count is what there is.
    executor = FakeExecutor(total: Self.scattered(excess: excess))
    executor.libraries = { $0 == .base ? 2 : 3 }
    let few = try self.rounds(executor, most: 4).run(with: &executor, telling: &progress)
    #expect(few.rounds == 4 && few.comparison.outcome == .decided(.regressed) && few.stopped == nil)
  }

  /// A comparison that is decided early does not end the launches that a budget still needs.
  @Test mutating func anOpenBudgetGoesOn() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0))
    let early = try rounds(executor).run(with: &executor, telling: &progress)
    var rounds = rounds(executor)
    rounds.areBudgetsDecided = { $1.count >= 2 * early.rounds }
    let outcome = try rounds.run(with: &executor, telling: &progress)
    #expect(outcome.rounds >= 2 * early.rounds && outcome.stopped == nil)
    #expect(outcome.comparison.outcome == .decided(.noChange))
  }

  /// Budgets are checked with all launches, of which none was watched itself.
  @Test mutating func allLaunchesHaveWhatAWatchedOneDid() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0.3))
    let outcome = try rounds(executor).run(with: &executor, telling: &progress)
    var watched = try #require(outcome.launches.head.first)
    watched.values[.lazyGlobals] = 3
    let all = outcome.with(firstTimesOf: (nil, watched))
    #expect(all.launches.head.count == outcome.launches.head.count)
    #expect((all.launches.head + all.comparison.head).allSatisfy { $0.values[.lazyGlobals] == 3 })
    #expect((all.launches.base + all.comparison.base).allSatisfy { $0.values[.lazyGlobals] == nil })
    #expect(all.comparison.outcome == outcome.comparison.outcome)
  }

  /// A later look that decides nothing keeps the verdict, but the budgets have all launches.
  @Test mutating func launchesAfterTheDecisionAreForTheBudgets() throws {
    let quiet = Self.scattered(excess: 0)
    var executor = FakeExecutor { side, round in
      let time = quiet(side, round) ?? 0
      guard round > 20 else { return time }
      return (side == .head) == round.isMultiple(of: 2) ? 1.6 * time : time
    }
    var rounds = rounds(executor)
    var asked: [Int] = []
    rounds.areBudgetsDecided = { base, head in
      asked.append(head.count)
      return head.count >= 80 && base.count == head.count
    }
    let outcome = try rounds.run(with: &executor, telling: &progress)
    #expect(outcome.comparison.outcome == .decided(.noChange))
    #expect(outcome.rounds == 80 && outcome.stopped == nil && asked.last == 80)
    #expect(outcome.launches.base.count == 80 && outcome.launches.head.count == 80, "\(asked)")
    #expect(outcome.comparison.head.count < 80)
  }

  /// What cannot be decided does not undo what was.
  @Test mutating func aBudgetThatStaysOpenKeepsTheVerdict() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0))
    var rounds = rounds(executor, most: 20)
    rounds.areBudgetsDecided = { _, _ in false }
    let outcome = try rounds.run(with: &executor, telling: &progress)
    #expect(outcome.comparison.outcome == .decided(.noChange) && outcome.rounds == 20)
  }

  @Test mutating func theMostRoundsEndIt() throws {
    // Four rounds give no interval at 99 %.
    var executor = FakeExecutor(total: Self.scattered(excess: 0.02))
    let outcome = try rounds(executor, most: 4).run(with: &executor, telling: &progress)
    #expect(outcome.stopped == "4 rounds is the maximum" && outcome.rounds == 4)
    #expect(progress.looks == [4])
  }

  @Test mutating func itsTimeEndsIt() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0.02))
    let outcome = try rounds(executor, time: 7_000_000_000).run(with: &executor, telling: &progress)
    // Two warm-ups, and two launches per round that take a second each.
    #expect(outcome.rounds == 3 && outcome.stopped == "--max-time is over")
  }

  @Test mutating func threeFailuresEndIt() throws {
    var executor = FakeExecutor { side, _ in side == .head ? nil : 5e7 }
    let outcome = try rounds(executor).run(with: &executor, telling: &progress)
    #expect(outcome.rounds == 3 && outcome.stopped == "3 launches failed")
    #expect(outcome.comparison.head.count == 3 && outcome.comparison.outcome == .nothingToCompare)
  }

  @Test mutating func sidesThatCannotBeComparedEndItAtTheFirstLook() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0))
    executor.kernel = { $0.rawValue }
    let outcome = try rounds(executor).run(with: &executor, telling: &progress)
    #expect(outcome.rounds == 10 && outcome.comparison.outcome == .incomparable)
  }

  @Test(arguments: [1, 2, 3, 8]) mutating func theUserEndsIt(launch: Int) throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0.3))
    executor.interruptedAt = launch
    let outcome = try rounds(executor).run(with: &executor, telling: &progress)
    #expect(outcome.interruption == 2 && outcome.stopped == "interrupted")
    #expect(executor.made.count == launch)
    let launches = outcome.comparison.base + outcome.comparison.head
    #expect(launches.count == max(0, launch - 3), "the launch that it interrupted counts")
  }

  /// It took three times three launches of each side, whatever --max-time said.
  @Test mutating func warmUpsEndWithTheTime() throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0))
    let outcome = try rounds(executor, warmups: 3, time: 2_000_000_000).run(with: &executor, telling: &progress)
    #expect(executor.made.count { $0.run.isWarmup } == 2)
    #expect(outcome.rounds == 1 && outcome.launches.head.count == 1 && outcome.stopped == "--max-time is over")
  }

  /// A program that hangs took ten minutes in each warm-up and in the first round, of each side.
  @Test(arguments: [(0, RoundOrder.Side.base), (1, .base), (1, .head)])
  mutating func aSideThatHangsEndsIt(warmups: Int, side: RoundOrder.Side) throws {
    var executor = FakeExecutor(total: Self.scattered(excess: 0))
    executor.hanging = side
    let outcome = try rounds(executor, warmups: warmups, time: 30_000_000_000).run(with: &executor, telling: &progress)
    #expect(executor.made.count { $0.side == side } == 1 && executor.made.last?.side == side)
    if warmups > 0 {
      #expect(outcome.stopped == "the launch of the \(side.rawValue) to warm up did not end within --max-time")
    } else {
      #expect(outcome.launches.base.map(\.leftOut) == [.failed] && outcome.stopped == "--max-time is over")
    }
  }
}
