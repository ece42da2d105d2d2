// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Work of other threads that the launch waits for.
struct AwaitedTests {
  private let millisecond: Int64 = 1_000_000

  /// An async main: the first thread runs for 10 ms, then waits for events. The launch is over at 100 ms.
  private func launch(_ call: String = "rt_sigsuspend", _ change: (inout SampleLaunch) -> Void) -> LaunchTimeline {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 2000)
    launch.pause(from: 10 * millisecond, to: 99 * millisecond)
    launch.look(call, at: 12 * millisecond)
    change(&launch)
    launch.mark("ready", at: 100 * millisecond)
    launch.launcher(exit: 110 * millisecond)
    return LaunchTimeline(trace: launch.trace())
  }

  private func overBudget(_ timeline: LaunchTimeline) -> [Finding] {
    timeline.findings.filter { $0.id == FindingName.intervalOverBudget }
  }

  @Test func whatTheLaunchWaitsForIsTheLaunchs() throws {
    let timeline = launch { launch in
      let worker = launch.thread(5000, name: "worker")
      launch.async(
        "query", from: 8 * millisecond, to: 90 * millisecond, lane: launch.lane(), began: launch.main, ended: worker)
      launch.interval("decode", from: 20 * millisecond, to: 60 * millisecond, on: worker)
      launch.interval("short", from: 62 * millisecond, to: 70 * millisecond, on: worker)
    }
    let findings = overBudget(timeline)
    #expect(Set(findings.map(\.subject)) == ["query", "decode"])
    let query = try #require(findings.first { $0.subject == "query" })
    #expect((query.expected, query.actual) == (16 * millisecond, 82 * millisecond))
    // In 2 ms of the query the main thread still ran.
    #expect(query.evidence.first { $0.text.hasPrefix("awaited") }?.time == 80 * millisecond)
    #expect(query.evidence.contains(Evidence(.state, ThreadState.running.title, time: 2 * millisecond)))
  }

  /// Another service of a server fills its cache, and is not done when the server listens.
  @Test func whatGoesOnAfterTheLaunchWasNotAwaited() {
    let timeline = launch { launch in
      let worker = launch.thread(5000, name: "worker")
      for (name, end) in [("fill cache", 105 * millisecond), ("start server", 100_050_000)] {
        launch.async(name, from: 20 * millisecond, to: end, lane: launch.lane(), began: launch.main, ended: worker)
      }
    }
    #expect(overBudget(timeline).map(\.subject) == ["start server"])
  }

  /// It ended on the main thread by chance. The advice was to move it off the main thread, where it was not.
  @Test func suspendedWorkIsNotToLeaveTheMainThread() throws {
    let timeline = launch { launch in
      launch.async(
        "parse", from: 8 * millisecond, to: 99_500_000, lane: launch.lane(), began: launch.main, ended: launch.main)
    }
    let finding = try #require(timeline.findings.first { $0.subject == "parse" })
    #expect(finding.advice.hasPrefix("The launch waits for it. Start it earlier"), "\(finding.advice)")
  }

  /// A trace that the program recorded itself does not say whether the main actor was suspended.
  @Test(arguments: [true, false])
  func workThatMayBeSuspendedHasTheAdviceForBoth(isAsync: Bool) throws {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 2000)
    let (start, end) = (8 * millisecond, 90 * millisecond)
    if isAsync {
      launch.async("parse", from: start, to: end, lane: launch.lane(), began: launch.main, ended: launch.main)
    } else {
      launch.interval("parse", from: start, to: end)
    }
    launch.mark("ready", at: 100 * millisecond)
    let finding = try #require(LaunchTimeline(trace: launch.trace()).findings.first { $0.subject == "parse" })
    #expect(finding.id == FindingName.mainThreadOverBudget)
    #expect(finding.advice.hasPrefix(isAsync ? "If it awaits" : "Move it off the main thread"), "\(finding.advice)")
  }

  /// `beginInterval` around a call that blocks. The advice was to run it at the same time as other work.
  @Test func aCallThatBlocksIsToLeaveTheMainThread() throws {
    let timeline = launch("clock_nanosleep") { launch in
      launch.async(
        "retry", from: 8 * millisecond, to: 99_500_000, lane: launch.lane(), began: launch.main, ended: launch.main)
    }
    let finding = try #require(timeline.findings.first { $0.subject == "retry" })
    #expect(finding.advice.hasPrefix("Move it off the main thread"), "\(finding.advice)")
  }

  /// The main actor is on a worker thread, which idles while the main actor's phase is suspended. Then nothing waits but the
  /// launch.
  @Test func aSuspendedPhaseOnAWorkerThreadWaitsForNothing() throws {
    let timeline = launch { launch in
      let (worker, other) = (launch.thread(5000, name: "worker"), launch.thread(5001, name: "other"))
      launch.async(
        "load", from: 20 * millisecond, to: 75 * millisecond, lane: launch.lane(), began: worker, ended: worker,
        category: "launchprof.phase", [("main_actor", .bool(true))])
      launch.interval("decode", from: 30 * millisecond, to: 70 * millisecond, on: other)
      // In the sleep of this one, the main actor waits.
      launch.interval("parse", from: 22 * millisecond, to: 28 * millisecond, on: worker)
      launch.turn(from: 19 * millisecond, to: 24 * millisecond, on: worker)
      launch.turn(from: 26 * millisecond, to: 30 * millisecond, on: worker)
      launch.turn(from: 71 * millisecond, to: 76 * millisecond, on: worker)
    }
    #expect(timeline.findings.filter { $0.id == FindingName.mainThreadWaiting }.isEmpty)
    #expect(overBudget(timeline).map(\.subject) == ["decode"])
    let totals = timeline.states.totals(from: timeline.start, to: timeline.end)
    #expect(totals[.sleeping] == 2 * millisecond)
    // From 0 to 10, 20 to 24, 26 to 30, 71 to 75, and from 99 ms on.
    #expect(totals[.running] == 23 * millisecond)
  }

  /// While the main thread works, it does not wait. If it waits for one thing, that is another finding.
  @Test(arguments: ["futex", "rt_sigsuspend"])
  func workBesideTheMainThreadIsNot(call: String) {
    let timeline = launch(call) { launch in
      let worker = launch.thread(5000, name: "worker")
      let range = call == "futex" ? (20 * millisecond, 90 * millisecond) : (100_000, 9 * millisecond)
      launch.interval("beside", from: range.0, to: range.1, on: worker)
      launch.async("detached", from: range.0, to: range.1, lane: launch.lane(), began: worker, ended: worker)
    }
    #expect(overBudget(timeline).isEmpty)
  }

  @Test func aBudgetByNameHoldsOnEveryThread() throws {
    var launch = SampleLaunch()
    let worker = launch.thread(5000, name: "worker")
    launch.recorder(preinit: 1000)
    launch.mark("main", at: 2000)
    launch.interval("fetch", from: 3000, to: 9 * millisecond, on: worker)
    launch.interval("other", from: 10 * millisecond, to: 40 * millisecond, on: worker)
    launch.phase("warm-cache", from: 41 * millisecond, to: 60 * millisecond, on: worker)
    launch.mark("ready", at: 70 * millisecond)
    launch.launcher(
      exit: 80 * millisecond, budgets: "format\t1\ninterval\tfetch\t5000000\nphase\twarm-cache\t10000000\nphase\t*\t1\n"
    )
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let fetch = try #require(findings.first { $0.subject == "fetch" })
    #expect((fetch.id, fetch.expected) == (FindingName.intervalOverBudget, 5 * millisecond))
    #expect(fetch.advice.contains("change its budget"))
    #expect(findings.contains { $0.id == FindingName.phaseOverBudget && $0.subject == "warm-cache" })
    #expect(!findings.contains { $0.subject == "other" })
  }

  /// Without switches, the recorder's one look counts.
  @Test func theRecordersWordCountsWithoutObservation() throws {
    var launch = SampleLaunch()
    let lane = launch.lane()
    let worker = launch.thread(5000, name: "worker")
    launch.recorder(preinit: 1000)
    launch.mark("main", at: 2000)
    launch.async("query", from: 1 * millisecond, to: 50 * millisecond, lane: lane, began: launch.main, ended: worker)
    launch.instant(
      "over-budget", at: 50 * millisecond, category: "launchprof.budget", on: worker,
      [
        ("interval", .string("query")), ("kind", .string("interval")),
        ("start_ns", .uint(UInt64(launch.origin + 1 * millisecond))), ("duration_ns", .uint(UInt64(49 * millisecond))),
        ("budget_ns", .uint(16_000_000)), ("over_ns", .uint(33_000_000)), ("place", .string("awaited")),
      ])
    launch.mark("ready", at: 55 * millisecond)
    let finding = try #require(overBudget(LaunchTimeline(trace: launch.trace())).first)
    #expect(finding.subject == "query")
    #expect(finding.evidence.contains { $0.text.contains("waiting for events") })
  }
}
