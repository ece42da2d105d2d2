// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

/// Where to begin, if the launch took longer than its budget.
struct LaunchBudgetAdviceTests {
  private let millisecond: Int64 = 1_000_000

  private func overBudget(_ change: (inout SampleLaunch) -> Void) throws -> Finding {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 2000)
    change(&launch)
    launch.mark("ready", at: 500 * millisecond)
    launch.launcher(exit: 510 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    return try #require(findings.first { $0.id == FindingName.launchOverBudget })
  }

  /// No phase has a budget of its own, and the largest part was not recorded.
  @Test func aLaunchOverItsBudgetNamesItsPartsInOrder() throws {
    let finding = try overBudget { launch in
      launch.phase("read-settings", from: 1 * millisecond, to: 47 * millisecond)
      launch.phase("load-index", from: 60 * millisecond, to: 240 * millisecond)
      launch.interval("parse", from: 61 * millisecond, to: 235 * millisecond)
      launch.interval("tokens", from: 70 * millisecond, to: 90 * millisecond)
    }
    let parts = finding.evidence.filter { $0.kind == .span }
    #expect(parts.first?.text.contains("after load-index") == true || parts.first?.text == "ready", "\(parts)")
    #expect(parts.map(\.text).contains("load-index > parse"))
    #expect(parts.map(\.text).contains("read-settings"))
    let times: [Int64] = parts.map { $0.time ?? 0 }
    #expect(times == times.sorted(by: >))
    #expect(finding.advice.hasPrefix("Start with "), "\(finding.advice)")
  }

  /// `launchprof record -- swift run app` measures the build.
  @Test func theTimeBeforeTheProgramIsNotItsOwn() throws {
    var launch = SampleLaunch(exit: 510 * millisecond, isInstrumented: false)
    for (name, time) in [("swift-package", 100_000), ("app", 450 * millisecond)] {
      launch.instant("exec", at: time, category: "launchprof.point", [("path", .string("/usr/bin/\(name)"))])
    }
    launch.instant("loader-started", at: 455 * millisecond, category: "launchprof.point")
    launch.mark("ready", at: 500 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let advice = try #require(findings.first { $0.id == FindingName.launchOverBudget }).advice
    #expect(advice.contains("mostly in swift-package. To measure the program alone, record /usr/bin/app."), "\(advice)")
  }

  /// A plug-in that records itself cannot see what its host did.
  @Test func theTimeBeforeAPlugInIsNotItsOwn() throws {
    var launch = SampleLaunch()
    launch.phase("before-recorder", from: 0, to: 450 * millisecond)
    launch.phase("did-finish-launching", from: 450 * millisecond, to: 480 * millisecond)
    launch.mark("ready", at: 480 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.phases.map(\.id) == ["before-recorder", "did-finish-launching"])
    let finding = try #require(timeline.findings.first { $0.id == FindingName.launchOverBudget })
    #expect(finding.advice.hasPrefix("94 % of it passed before the library"), "\(finding.advice)")
  }

  /// The phase has the name of the milestone: "Start with ready" seemed to mean the milestone.
  @Test func thePhaseBeforeReadyIsCalledAPhase() throws {
    let finding = try overBudget { $0.phase("read-settings", from: 1 * millisecond, to: 47 * millisecond) }
    #expect(finding.advice.hasPrefix("Start with the phase ready, which takes "), "\(finding.advice)")
  }

  /// The advice was "Begin with main", although most of the launch waited for a processor.
  @Test func aLaunchWithoutAProcessorSaysSo() throws {
    let finding = try overBudget { launch in
      launch.pause(from: 10 * millisecond, to: 450 * millisecond, .preempted)
    }
    #expect(finding.advice.contains("no processor was free") && finding.advice.contains("main-thread-runnable"))
    #expect(!finding.advice.contains("Start with"))
  }

  /// Swift's runtime prints it, and the finding leaves it out.
  @Test func theBacktraceOfACrashIsNoWaitForAProcessor() throws {
    var launch = SampleLaunch()
    launch.pause(from: 20 * millisecond, to: 30 * millisecond)
    launch.look("wait4", at: 25 * millisecond)
    launch.waitStack(
      ["main", .init("_swift_spawnBacktracer", image: "/usr/lib/libswiftCore.so")], at: 20 * millisecond)
    launch.pause(from: 31 * millisecond, to: 95 * millisecond, .preempted)
    launch.launcher(exit: 100 * millisecond, outcome: "signalled", signal: 4, isInstrumented: false)
    var budgets = Budgets.standard
    budgets.milestones[MilestoneName.exit] = 50 * millisecond
    let findings = LaunchTimeline(trace: launch.trace(), budgets: budgets).findings
    let finding = try #require(findings.first { $0.id == FindingName.launchOverBudget })
    #expect(!findings.contains { $0.id == FindingName.mainThreadRunnable })
    #expect(!finding.advice.contains(FindingName.mainThreadRunnable), "\(finding.advice)")
  }

  /// java, on a busy machine: "The main thread waited for 100 % of the launch".
  @Test func aThreadWithoutAProcessorIsTheReason() throws {
    let finding = try overBudget { launch in
      let java = launch.thread(5000, name: "java")
      launch.wakeup(at: 5 * millisecond, of: java, by: launch.main)
      launch.pause(from: 10 * millisecond, to: 480 * millisecond)
      launch.look("futex", at: 50 * millisecond, awaited: 5000)
      launch.switched(.init(.switchedIn, at: 8 * millisecond, on: java, cpu: 1))
      launch.pause(from: 20 * millisecond, to: 460 * millisecond, .preempted, on: java, cpu: 1)
      launch.switched(.init(.exited, at: 480 * millisecond, on: java, cpu: 1))
    }
    #expect(
      finding.advice
        == "For 88 % of the launch, no processor was free for java (5000). See main-thread-runnable first.",
      "\(finding.advice)")
  }

  /// su and initdb: the advice was "Start with main, which takes 100 % of the launch", which was one wait for a child process.
  @Test func aLaunchThatWaitedSaysSo() throws {
    func finding(_ change: (inout SampleLaunch) -> Void) throws -> Finding {
      try overBudget { launch in
        launch.pause(from: 10 * millisecond, to: 480 * millisecond, .sleeping)
        change(&launch)
      }
    }
    let waiting = try finding { _ in }
    #expect(waiting.advice.hasPrefix("The main thread waited for 94 % of the launch"), "\(waiting.advice)")
    let blocked = try overBudget { $0.pause(from: 10 * millisecond, to: 480 * millisecond, .uninterruptible) }
    #expect(
      blocked.advice == "The main thread waited for 94 % of the launch. See \(FindingName.mainThreadBlockedIO).",
      "\(blocked.advice)")
    // What the program named is a place to start.
    let named = try finding { launch in
      launch.phase("load-index", from: 5 * millisecond, to: 490 * millisecond)
      launch.interval("query", from: 6 * millisecond, to: 485 * millisecond)
    }
    #expect(named.advice == "Start with query (in load-index), which takes 96 % of the launch.", "\(named.advice)")
  }

  /// The advice blamed `main`, which takes all of such a launch.
  @Test func aProgramThatWasStoppedIsTheReason() throws {
    let finding = try overBudget { $0.pause(from: 20 * millisecond, to: 420 * millisecond, .stopped) }
    #expect(
      finding.advice == "The program was stopped for 80 % of the launch. See suspended.", "\(finding.advice)")
  }

  /// Neither of both was half of the launch, so the advice was to start with `main`.
  @Test func aLaunchThatWaitedAndHadNoProcessorSaysSo() throws {
    let finding = try overBudget { launch in
      launch.pause(from: 10 * millisecond, to: 230 * millisecond, .sleeping)
      launch.pause(from: 240 * millisecond, to: 450 * millisecond, .preempted)
    }
    #expect(
      finding.advice
        == "The main thread waited for 44 % of the launch, and no processor was free for it for 42 %. "
        + "See main-thread-runnable first.", "\(finding.advice)")
  }

  /// A chain of whole signatures did not fit into a report, and ended with the share of the phase.
  @Test func theInnermostFunctionHasAShortNameAndItsOwnShare() throws {
    let name = "app::Policy::run(std::vector<int, std::allocator<int> > const&)"
    let finding = try overBudget { launch in
      launch.samples(["main", "before()"], from: 10 * millisecond, to: 110 * millisecond)
      launch.samples(["main", .init(name)], from: 110 * millisecond, to: 440 * millisecond)
    }
    #expect(finding.advice.hasPrefix("Start with ~\(ShortName.of(name))"), "\(finding.advice)")
    #expect(!finding.advice.contains("allocator") && !finding.advice.contains("main > "), "\(finding.advice)")
    #expect(finding.advice.hasSuffix(", which takes 66 % of the launch."), "\(finding.advice)")
  }

  /// node: "Start with main, which takes 80 % of the launch" is no place to start, and the next finding named a function.
  @Test func aPhaseWithoutNamesOfItsOwnPointsToTheFunctions() throws {
    func advice(_ points: [String]) throws -> String {
      var launch = SampleLaunch(exit: 510 * millisecond, isInstrumented: false)
      for (place, point) in points.enumerated() {
        let time = Int64(place + 1) * millisecond
        launch.instant(point, at: time, category: "launchprof.point")
      }
      for place in 0..<3 as Range<Int64> {
        let start = (10 + place * 150) * millisecond
        launch.samples(["main", .init("step \(place)")], from: start, to: start + 150 * millisecond)
      }
      launch.mark("ready", at: 500 * millisecond)
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.launchOverBudget }).advice
    }
    let inMain = try advice(["exec", "loader-started", "main"])
    #expect(inMain == "99 % of the launch is in main. See main-thread-over-budget.", "\(inMain)")
    // The brackets were nested.
    let outside = try advice([])
    #expect(outside.contains("outside all phases") && !outside.contains("in the launch)"), "\(outside)")
  }

  /// It was of `exec`, because the launch begins there.
  @Test func aLaunchOverItsBudgetIsOfNoPhase() throws {
    let findings = LaunchTimeline(trace: SampleLaunch.server().trace()).findings
    #expect(try #require(findings.first { $0.id == FindingName.launchOverBudget }).phase == nil)
    #expect(findings.contains { $0.unit == .nanoseconds && $0.phase != nil })
  }
}
