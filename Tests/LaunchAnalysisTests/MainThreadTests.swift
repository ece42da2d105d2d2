// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Which work counts as the main thread's, and which of it is over budget.
struct MainThreadTests {
  private let millisecond: Int64 = 1_000_000

  private func overBudget(_ launch: SampleLaunch, budgets: Budgets? = nil) -> Set<String> {
    let timeline = LaunchTimeline(trace: launch.trace(), budgets: budgets)
    let flagged = (0..<timeline.spans.count).filter { timeline.spans.flags[$0].contains(.overBudget) }
    return Set(flagged.map { timeline.trace.strings[StringID(rawValue: timeline.trace.slices.name[$0])] })
  }

  private func launch() -> SampleLaunch {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 2000)
    return launch
  }

  @Test func theSameWorkElsewhereIsNotFlagged() {
    var launch = launch()
    let worker = launch.thread(5000, name: "worker")
    launch.interval("on main", from: 3000, to: 20 * millisecond)
    launch.interval("on worker", from: 3000, to: 20 * millisecond, on: worker)
    launch.async("off", from: 3000, to: 20 * millisecond, lane: launch.lane(), began: worker, ended: worker)
    launch.async("moved", from: 3000, to: 20 * millisecond, lane: launch.lane(), began: launch.main, ended: worker)
    #expect(overBudget(launch) == ["on main"])
  }

  /// The program's own summary called it over budget, and the command did not.
  @Test func anIntervalThatNobodyEndedIsWorkOfTheThreadThatBeganIt() {
    var launch = launch()
    let worker = launch.thread(5000, name: "worker")
    launch.async("forgotten", from: 3000, to: nil, lane: launch.lane(), began: launch.main, ended: nil)
    launch.async("elsewhere", from: 3000, to: nil, lane: launch.lane(), began: worker, ended: nil)
    launch.async(
      "task", from: 3000, to: nil, lane: launch.lane(), began: launch.main, ended: nil, category: "launchprof.task")
    launch.async(
      "short", from: 30 * millisecond, to: nil, lane: launch.lane(), began: launch.main, ended: nil)
    launch.mark("ready", at: 40 * millisecond)
    launch.interval("later", from: 50 * millisecond, to: 51 * millisecond)
    #expect(overBudget(launch) == ["forgotten"])
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = timeline.findings.first { $0.subject == "forgotten" }
    #expect(finding?.id == FindingName.mainThreadOverBudget)
    #expect(finding?.actual == 40 * millisecond - 3000)
    #expect(finding?.advice.contains("endInterval") == true)
    let field = timeline.record().fields.first { $0.key == "over.forgotten" }
    #expect(field?.value == .number(40 * millisecond - 3000))
  }

  @Test func exactlyTheBudgetIsWithinIt() {
    var launch = launch()
    launch.interval("exact", from: 3000, to: 3000 + 16 * millisecond)
    launch.interval("more", from: 20 * millisecond, to: 36 * millisecond + 1)
    #expect(overBudget(launch) == ["more"])
  }

  @Test func theMainActorIsMainThreadWhereverItRuns() {
    var launch = launch()
    let worker = launch.thread(5000, name: "pool")
    launch.phase("scene-connect", from: 3000, to: 40 * millisecond, on: worker, [("main_actor", .bool(true))])
    launch.interval("inside", from: 4000, to: 30 * millisecond, on: worker)
    launch.interval("after", from: 50 * millisecond, to: 90 * millisecond, on: worker)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.phases.contains { $0.id == "scene-connect" })
    #expect(overBudget(launch) == ["inside"])
  }

  @Test func whatTheRecorderSaysRanOnTheMainActorDid() {
    var launch = launch()
    launch.instant(
      "budget", at: 2500, category: "launchprof.budget",
      [("interval", .string("*")), ("kind", .string("interval")), ("budget_ns", .uint(5000))])
    let worker = launch.thread(5000, name: "pool")
    launch.interval("hop", from: 3000, to: 9000, on: worker)
    launch.instant(
      "over-budget", at: 9000, category: "launchprof.budget",
      [
        ("interval", .string("hop")), ("kind", .string("interval")), ("start_ns", .uint(UInt64(launch.origin + 3000))),
        ("duration_ns", .uint(6000)), ("budget_ns", .uint(5000)), ("over_ns", .uint(1000)),
      ])
    #expect(overBudget(launch) == ["hop"])
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadOverBudget }
    #expect(finding?.expected == 5000)
    #expect(finding?.actual == 6000)
    #expect(finding?.subject == "hop")
    // With other budgets, the recorder's report does not apply.
    #expect(overBudget(launch, budgets: .standard).isEmpty)
  }

  @Test func budgetsByName() {
    var launch = launch()
    launch.interval("may be long", from: 3000, to: 30 * millisecond)
    launch.interval("must be short", from: 31 * millisecond, to: 32 * millisecond)
    launch.phase("set-up", from: 40 * millisecond, to: 90 * millisecond)
    launch.launcher(
      exit: 100 * millisecond,
      budgets: "format\t1\ninterval\tmay be long\t50000000\ninterval\tmust be short\t500000\nphase\tset-up\t1000000\n")
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(overBudget(launch) == ["must be short", "set-up"])
    #expect(timeline.findings.map(\.id) == [FindingName.phaseOverBudget, FindingName.mainThreadOverBudget])
    #expect(timeline.phases.first { $0.id == "set-up" }?.overBudget == 49 * millisecond)
  }

  @Test func budgetsThatTheProgramSet() {
    var launch = launch()
    func set(_ kind: String, _ name: String, _ budget: Int64) {
      launch.instant(
        "budget", at: 2500, category: "launchprof.budget",
        [("interval", .string(name)), ("kind", .string(kind)), ("budget_ns", .uint(UInt64(budget)))])
    }
    set("interval", "*", 2 * millisecond)
    set("interval", "may be long", 50 * millisecond)
    set("milestone", "ready", 60 * millisecond)
    launch.interval("may be long", from: 3000, to: 30 * millisecond)
    launch.interval("short", from: 31 * millisecond, to: 34 * millisecond)
    launch.mark("ready", at: 70 * millisecond)
    #expect(overBudget(launch) == ["short"])
    #expect(LaunchTimeline(trace: launch.trace()).budget == 60 * millisecond)
  }

  @Test func aHangThatNeverEndedIsFlagged() {
    #expect(overBudget(.crash()) == ["migrate", "step 2"])
  }

  @Test func oneFindingForAPathHoweverOften() {
    var launch = launch()
    for number in 0..<5 as Range<Int64> {
      launch.interval("again", from: (10 + number * 20) * millisecond, to: (27 + number * 21) * millisecond)
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.subject == "again" }
    #expect(findings.count == 1)
    #expect(findings.first?.occurrences == 5)
    #expect(findings.first?.actual == 21 * millisecond)
  }

  // MARK: Async work that ran on one thread

  /// The tree of the main thread as `name(children)`.
  private func mainTree(_ launch: SampleLaunch) -> String {
    let timeline = LaunchTimeline(trace: launch.trace())
    func text(_ node: Int) -> String {
      let children = timeline.flame.children(of: node).map(text)
      return timeline.flame.name(of: node) + (children.isEmpty ? "" : "(" + children.joined(separator: " ") + ")")
    }
    let main = timeline.flame.roots.first { timeline.flame.name(of: $0) == "main thread" }
    return main.map { timeline.flame.children(of: $0).map(text).joined(separator: " ") } ?? ""
  }

  private func plain() -> SampleLaunch {
    var launch = SampleLaunch(preinit: 0)
    launch.interval("a", from: 0, to: 100)
    launch.interval("b", from: 20, to: 40)
    return launch
  }

  @Test func asyncWorkOfOneThreadIsAdopted() {
    var launch = plain()
    launch.async("x", from: 10, to: 50, lane: launch.lane(), began: launch.main, ended: launch.main)
    #expect(mainTree(launch) == "unattributed(a(x(b)))")
  }

  @Test func whatCrossesIsNot() {
    var launch = plain()
    launch.async("into b", from: 10, to: 30, lane: launch.lane(), began: launch.main, ended: launch.main)
    launch.async("out of b", from: 30, to: 50, lane: launch.lane(), began: launch.main, ended: launch.main)
    launch.async("out of a", from: 60, to: 120, lane: launch.lane(), began: launch.main, ended: launch.main)
    launch.async("other end", from: 60, to: 70, lane: launch.lane(), began: launch.main, ended: nil)
    launch.async("open", from: 60, to: nil, lane: launch.lane(), began: launch.main, ended: launch.main)
    #expect(mainTree(launch) == "unattributed(a(b))")
  }

  @Test func ofTwoThatCrossTheFirstIsAdopted() {
    var launch = plain()
    launch.async("x", from: 50, to: 70, lane: launch.lane(), began: launch.main, ended: launch.main)
    launch.async("y", from: 60, to: 80, lane: launch.lane(), began: launch.main, ended: launch.main)
    launch.async("z", from: 62, to: 65, lane: launch.lane(), began: launch.main, ended: launch.main)
    #expect(mainTree(launch) == "unattributed(a(b x(z)))")
  }
}
