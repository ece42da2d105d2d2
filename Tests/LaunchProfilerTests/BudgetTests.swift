// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler
import LaunchTrace
import Testing

struct BudgetTests {
  let signposter = Recording.signposter

  @Test func budgetsCanBeChangedAndKeyPathsReachThem() {
    var budgets = LaunchBudgets(when: [LaunchBudgets.When(reason: "url")])
    budgets.intervals["decode"] = .milliseconds(3)
    budgets[keyPath: \.interval] = .milliseconds(8)
    budgets.when[0].kind = "first"
    budgets.when[0][keyPath: \.phases] = ["layout": .milliseconds(2)]
    #expect(budgets.intervals == ["decode": .milliseconds(3)] && budgets.interval == .milliseconds(8))
    #expect(budgets.milestones == ["first-frame": .milliseconds(400)] && budgets.phases.isEmpty)
    #expect(budgets.when[0].reason == "url" && budgets.when[0].kind == "first" && budgets.when[0].interval == nil)
    #expect(budgets.when[0].phases == ["layout": .milliseconds(2)])
    #expect(LaunchPhase.self[keyPath: \.layout].id.description == "layout")
    #expect(LaunchSignpostID.exclusive[keyPath: \.rawValue] == LaunchSignpostID.exclusive.rawValue)
  }

  @MainActor @Test func workOverBudgetOnTheMainThreadIsFlagged() throws {
    let (_, recorded) = try Recording.record {
      signposter.withIntervalSignpost("main over default") { burn(.milliseconds(17)) }
      signposter.withIntervalSignpost("strict") { burn(.milliseconds(2)) }
      signposter.withIntervalSignpost("lenient") { burn(.milliseconds(18)) }
      LaunchProfiler.phase(LaunchPhase("strict-phase")) { burn(.milliseconds(2)) }
    }
    let flagged = recorded.overBudget("main over default")
    #expect(flagged.count == 1)
    #expect(flagged.first?["budget_ns"] == .uint(16_000_000))
    #expect(flagged.first?["kind"] == .string("interval"))
    #expect(recorded.overBudget("strict").count == 1)
    #expect(recorded.overBudget("lenient").isEmpty)
    #expect(recorded.overBudget("strict-phase").first?["kind"] == .string("phase"))
    // The flag has the same values as the slice.
    let slice = try recorded.slice(named: "main over default")
    #expect(flagged.first?["duration_ns"] == .uint(UInt64(recorded.trace.slices.duration[slice])))
    #expect(flagged.first?["start_ns"] == .uint(UInt64(recorded.trace.slices.start[slice])))
    let summary = try #require(LaunchProfiler.summary)
    #expect(summary.overBudget.contains { $0.name == "main over default" && $0.budget == .milliseconds(16) })
  }

  /// The first thread of the tests may wait for events meanwhile. Then this launch waits for the work, but the work
  /// is never the main thread's.
  @Test func theSameWorkOffTheMainThreadIsNotTheMainThreads() async throws {
    let (_, recorded) = try await Recording.record {
      await Task.detached {
        signposter.withIntervalSignpost("worker over default") { burn(.milliseconds(17)) }
        let interval = signposter.beginInterval("worker interval")
        burn(.milliseconds(17))
        signposter.endInterval("worker interval", interval)
      }.value
    }
    #expect(recorded.trace.slices.duration[try recorded.slice(named: "worker over default")] > 16_000_000)
    for name in ["worker over default", "worker interval"] {
      #expect(recorded.overBudget(name).allSatisfy { $0["place"] == .string("awaited") }, "\(name)")
    }
  }

  @Test func theBudgetsInForceAreInTheTrace() throws {
    let (_, recorded) = try Recording.record {}
    let budgets = recorded.instants(named: "budget").map { recorded.annotations(ofInstant: $0) }
    let strict = budgets.first { $0["interval"] == .string("strict-phase") }
    #expect(strict?["kind"] == .string("phase"))
    #expect(strict?["budget_ns"] == .uint(1_000_000))
  }

  @Test func anyNumberOfBudgetsIsKept() throws {
    let (_, recorded) = try Recording.record {}
    let names = recorded.instants(named: "budget").compactMap { recorded.annotations(ofInstant: $0)["interval"] }
    #expect(names.count { if case .string(let name) = $0 { name.hasPrefix("many ") } else { false } } == 2_000)
  }

  @MainActor @Test func aStartThatIsRefusedChangesNoBudgets() throws {
    let (_, recorded) = try Recording.record {
      let budgets = LaunchBudgets(interval: .nanoseconds(1), intervals: ["refused": .nanoseconds(1)])
      #expect(throws: LaunchProfilerError.self) { try LaunchProfiler.start(budgets: budgets) }
      signposter.withIntervalSignpost("refused") { burn(.milliseconds(1)) }
      signposter.withIntervalSignpost("refused for all") { burn(.milliseconds(1)) }
    }
    // On a busy machine, a millisecond's work can be over the budgets that hold.
    let broken = recorded.overBudget("refused") + recorded.overBudget("refused for all")
    #expect(broken.allSatisfy { $0["budget_ns"] != .uint(1) }, "\(broken)")
  }

  /// Budgets for a reason apply once the launch has that reason. If several match, the most specific one applies.
  @MainActor @Test func budgetsDifferByWhatTheLaunchIs() throws {
    let (_, recorded) = try Recording.record {
      LaunchProfiler.phase(LaunchPhase("conditional-phase")) { burn(.milliseconds(2)) }
      LaunchProfiler.metadata(reason: "of-tests", context: "of-tests")
      LaunchProfiler.phase(LaunchPhase("conditional-phase")) { burn(.milliseconds(3)) }
      LaunchProfiler.phase(LaunchPhase("more-conditional-phase")) { burn(.milliseconds(3)) }
      LaunchProfiler.phase(LaunchPhase("others-phase")) { burn(.milliseconds(1)) }
      signposter.withIntervalSignpost("conditional") { burn(.milliseconds(3)) }
      LaunchProfiler.mark(LaunchMilestone("conditional-late"))
    }
    for name in ["conditional-phase", "more-conditional-phase", "conditional"] {
      #expect(recorded.overBudget(name).map { $0["budget_ns"] } == [.uint(1_000_000)], "\(name)")
    }
    #expect(recorded.overBudget("conditional-late").count == 1)
    #expect(recorded.overBudget("others-phase").isEmpty)
    // The trace says to which launches they apply.
    let budgets = recorded.instants(named: "budget").map { recorded.annotations(ofInstant: $0) }
    let conditional = budgets.filter { $0["interval"] == .string("more-conditional-phase") }
    #expect(conditional.map { $0["reason"] } == [.string("of-tests"), .string("of-tests")])
    #expect(conditional.map { $0["context"] } == [nil, .string("of-tests")])
    #expect(conditional.allSatisfy { $0["launch_kind"] == nil })
  }

  @MainActor @Test func anIntervalThatHeldTheMainThreadIsFlagged() throws {
    let (_, recorded) = try Recording.record {
      let interval = signposter.beginInterval("held the main thread")
      burn(.milliseconds(17))
      signposter.endInterval("held the main thread", interval)
    }
    #expect(recorded.overBudget("held the main thread").count == 1)
  }

  @Test func aMilestoneThatIsLateIsFlagged() throws {
    let (_, recorded) = try Recording.record { LaunchProfiler.mark(LaunchMilestone("late")) }
    #expect(recorded.overBudget("late").first?["kind"] == .string("milestone"))
  }
}
