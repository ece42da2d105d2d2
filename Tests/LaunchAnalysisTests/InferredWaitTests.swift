// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Waits in work that only samples reveal.
struct InferredWaitTests {
  private let millisecond: Int64 = 1_000_000

  private func launch() -> SampleLaunch { SampleLaunch(exit: 200 * millisecond, isInstrumented: false) }

  private func findings(_ launch: SampleLaunch, budgets: Budgets? = nil) -> [Finding] {
    LaunchTimeline(trace: launch.trace(), budgets: budgets).findings.filter {
      $0.id == FindingName.mainThreadOverBudget
    }
  }

  /// Adds a call of `run` that begins at 10 ms: a millisecond of work, then a wait, and so on.
  private func wait(in launch: inout SampleLaunch, times: Int64, of length: Int64, _ kind: SwitchKind = .sleeping) {
    for place in 0...times {
      let start = (10 + place * (length + 1)) * millisecond
      launch.samples(["main", "run"], from: start, to: start + millisecond)
      if place < times { launch.pause(from: start + millisecond, to: start + (1 + length) * millisecond, kind) }
    }
  }

  /// pyenv's bash: the function that waited for child processes was a finding, beside that about the wait, and came first.
  @Test(arguments: [SwitchKind.sleeping, .uninterruptible]) func aWaitWithAFindingIsNotToldAgain(kind: SwitchKind) {
    var launch = launch()
    wait(in: &launch, times: 1, of: 40, kind)
    let id = kind == .sleeping ? FindingName.mainThreadWaiting : FindingName.mainThreadBlockedIO
    #expect(findings(launch).isEmpty)
    #expect(LaunchTimeline(trace: launch.trace()).findings.contains { $0.id == id })
  }

  /// Its number was the whole call.
  @Test func onlyTheRestOfAFunctionThatWaitedIsItsTime() throws {
    var launch = launch()
    launch.samples(["main", "run"], from: 10 * millisecond, to: 30 * millisecond)
    launch.pause(from: 30 * millisecond, to: 70 * millisecond)
    launch.samples(["main", "run"], from: 70 * millisecond, to: 80 * millisecond)
    let finding = try #require(findings(launch).first)
    #expect(finding.subject == "run" && finding.actual == 30 * millisecond)
    #expect(finding.evidence.contains(Evidence(.note, "not counted: waits with findings", time: 40 * millisecond)))
    #expect(finding.evidence.filter { $0.kind == .state }.map(\.text) == ["running"])
    #expect(finding.advice.hasPrefix("Make the program do less of it"))
  }

  /// The advice was to do less of the function.
  @Test func aFunctionThatWaitsIsNotToDoLess() {
    var launch = launch()
    wait(in: &launch, times: 5, of: 12)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["run"])
    let advice = "% of that time, the main thread waited, mostly sleeping or waiting. The"
    #expect(findings.first?.advice.contains(advice) == true)
  }

  /// A function of the C library in which the thread only waits is no work. The wait has a finding of its own.
  @Test func aLibraryInWhichTheThreadOnlyWaitsIsNoWork() {
    var launch = launch()
    let stack: [SampleLaunch.Frame] = [.init("nanosleep", image: "/usr/lib/libc.so.6")]
    launch.samples(stack, from: 10 * millisecond, to: 12 * millisecond)
    launch.pause(from: 12 * millisecond, to: 55 * millisecond)
    launch.samples(stack, from: 55 * millisecond, to: 57 * millisecond)
    #expect(findings(launch).isEmpty)
  }

  /// Where states are estimated, samples are rare: an empty signal handler was over budget for 46 ms.
  @Test func fewSamplesOfAThreadThatWaitsAreNoWork() {
    var launch = SampleLaunch()
    launch.samples(["main", "handler"], from: 10 * millisecond, to: 12 * millisecond)
    launch.pause(from: 12 * millisecond, to: 55 * millisecond)
    launch.samples(["main", "handler"], from: 55 * millisecond, to: 57 * millisecond)
    launch.launcher(
      exit: 200 * millisecond, isInstrumented: false,
      [("observer", .string("ptrace")), ("wait_states", .string("times"))])
    #expect(findings(launch).isEmpty)
  }

  /// The share was of a time that also had the wait for a CPU, which is no part of the finding: 38 %.
  @Test func theShareOfWaitsIsThatOfTheFindingsTime() {
    var launch = launch()
    wait(in: &launch, times: 3, of: 12)
    launch.pause(from: 50 * millisecond, to: 105 * millisecond, .preempted)
    launch.samples(["main", "run"], from: 105 * millisecond, to: 110 * millisecond)
    let finding = findings(launch).first
    #expect(finding?.advice.contains("% of that time, the main thread waited") == true, "\(finding?.advice ?? "")")
  }

  /// A recording in another format: without the switches, waits between samples were a part of the function.
  @Test func aRecordingWithoutSwitchesHasOnlyTheTimeOfItsSamples() {
    var launch = SampleLaunch()
    launch.launcher(exit: 200 * millisecond, isInstrumented: false, [("observer", .string("perf"))])
    for time in stride(from: 10 * millisecond, to: 110 * millisecond, by: 4 * Int(millisecond)) {
      launch.samples(["main", "run"], from: time, to: time + millisecond)
    }
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["run"] && findings.allSatisfy { $0.actual < 30 * millisecond }, "\(findings)")
  }

  /// What it waited for elsewhere in the launch is not the reason.
  @Test func theAdviceNamesWhatTheFunctionWaitedFor() {
    var launch = launch()
    launch.look("fsync", at: 2 * millisecond + 1, state: "D", path: "/srv/log")
    launch.pause(from: 2 * millisecond, to: 9 * millisecond, .uninterruptible)
    for time in [11, 26] as [Int64] {
      launch.look("read", at: time * millisecond + 1, state: "D", path: "/srv/cold.dat")
    }
    wait(in: &launch, times: 2, of: 14, .uninterruptible)
    let advice = findings(launch).first?.advice
    #expect(advice?.contains("the main thread waited, mostly blocked in I/O (/srv/cold.dat). Read ") == true)
  }

  /// Calls `run` from 10 to 41 ms: it waits twice for a worker. The program is fully drawn at 190 ms.
  private func launchWithWorker(ready: Int64) -> SampleLaunch {
    var launch = launch()
    launch.mark("ready", at: ready * millisecond)
    launch.mark("fully-drawn", at: 190 * millisecond)
    wait(in: &launch, times: 2, of: 14)
    let worker = launch.thread(5000, name: "worker")
    for time in [11, 26] as [Int64] {
      launch.look("futex", at: (time + 1) * millisecond, awaited: 5000)
      launch.turn(from: time * millisecond, to: (time + 14) * millisecond, on: worker)
    }
    return launch
  }

  /// A function that began before the launch's end waited after it. The report of such a launch crashed.
  @Test(arguments: [12, 30, 195] as [Int64]) func aWaitAfterTheLaunchHasAdvice(ready: Int64) throws {
    var budgets = Budgets.standard
    budgets.intervals["run"] = budgets.defaultInterval
    let finding = try #require(findings(launchWithWorker(ready: ready), budgets: budgets).first)
    #expect(finding.advice.contains("worker (5000)"))
    #expect(finding.actual > 30 * millisecond && !finding.evidence.contains { $0.text.contains("after the launch") })
  }

  /// It counted until the program was fully drawn, though the budget is one for the launch.
  @Test func onlyThePartOfAFunctionInTheLaunchIsItsTime() throws {
    let finding = try #require(findings(launchWithWorker(ready: 30)).first)
    #expect(finding.subject == "run" && finding.actual == 20 * millisecond)
    let states = finding.evidence.filter { $0.kind == .state }
    #expect(states.reduce(0) { $0 + ($1.time ?? 0) } == 20 * millisecond, "\(states)")
    #expect(finding.advice.hasPrefix("For 90 % of that time, the main thread waited"), "\(finding.advice)")
    #expect(finding.evidence.contains { $0.kind == .note && $0.text == "not counted: after the launch" })
    #expect(findings(launchWithWorker(ready: 12)).isEmpty)
  }

  /// Two calls with reads of mapped pages between them look like one: samples do not see the kernel.
  @Test func aFunctionThatWaitsForTheDiskIsNotToDoLess() {
    var launch = launch()
    wait(in: &launch, times: 2, of: 15, .uninterruptible)
    let advice = findings(launch).first?.advice
    #expect(advice?.contains("% of that time, the main thread waited, mostly blocked in I/O. The samples") == true)
  }

  /// A sampler inside the program takes no stacks while the thread waits outside phases: two calls were one of 90 ms.
  @Test func aPauseOfTheProgramsSamplerEndsItsCalls() {
    var launch = SampleLaunch(preinit: 0)
    launch.mark("ready", at: 200 * millisecond)
    launch.instant("sampler", at: 0, category: "launchprof.sampler", [("clock", .string("monotonic"))])
    launch.samples(["main", "parse"], from: 10 * millisecond, to: 40 * millisecond)
    launch.samples(["main", "parse"], from: 80 * millisecond, to: 100 * millisecond)
    // A stack that the thread did not deliver is no pause.
    launch.samples(["main", "draw"], from: 120 * millisecond, to: 130 * millisecond)
    launch.samples(["main", "draw"], from: 135 * millisecond, to: 145 * millisecond)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["parse", "draw"])
    #expect(findings.map(\.occurrences) == [2, 1])
    #expect(findings.map(\.actual) == [30 * millisecond, 25 * millisecond])
  }

  /// In text of `perf script`, a call of 50 ms whose samples are 30 ms took "50 ms ± 1".
  @Test func withoutSwitchesOnlyTheTimeOfSamplesCounts() throws {
    let samples = [100..<115, 122..<130, 140..<147].joined().map {
      "app 9 1.\($0): 1000000 cpu-clock: \n\t 63c f (/app)\n\n"
    }
    let trace = try Array(samples.joined().utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let finding = LaunchTimeline(trace: trace).findings.first { $0.id == FindingName.mainThreadOverBudget }
    #expect(finding.map { ($0.actual + millisecond / 2) / millisecond } == 30)
  }

  /// Text of `perf script` has the same gap where the thread waited: two calls of 15 ms were one of 205 ms.
  @Test func withoutSwitchesALongGapEndsCalls() {
    var launch = SampleLaunch(exit: 400 * millisecond, isInstrumented: false)
    launch.samples(["main", "burn"], from: 10 * millisecond, to: 25 * millisecond)
    launch.samples(["main", "burn"], from: 200 * millisecond, to: 215 * millisecond)
    #expect(findings(launch).isEmpty)
    // Samples that are that far apart say that the thread ran.
    launch.samples(["main", "parse"], from: 240 * millisecond, to: 400 * millisecond, every: 20 * millisecond)
    #expect(findings(launch).map(\.actual) == [160 * millisecond])
  }

  @Test func aWaitInsideACallIsPartOfIt() {
    var launch = launch()
    launch.samples(["main", "load", "open"], from: 0, to: 3 * millisecond)
    launch.pause(from: 3 * millisecond, to: 18 * millisecond, .uninterruptible)
    launch.samples(["main", "load", "parse"], from: 18 * millisecond, to: 21 * millisecond)
    let finding = findings(launch).first
    #expect(finding?.subject == "load")
    #expect(finding?.actual == 21 * millisecond)
    #expect(finding?.evidence.contains(Evidence(.state, "blocked in I/O", time: 15 * millisecond)) == true)
  }

  /// Five calls of 12 ms, with sleeps of 30 ms between them, were one of 200 ms, though the stacks of the sleeps show the caller.
  @Test func aWaitOutsideOfAFunctionEndsIt() throws {
    func launch(inside: Bool, calls: Int64 = 5, length: Int64) -> SampleLaunch {
      var launch = SampleLaunch(exit: 400 * millisecond, isInstrumented: false)
      let stack: [SampleLaunch.Frame] = inside ? ["_start", "main", "spin", "poll"] : ["_start", "main", "poll"]
      for call in 0..<calls {
        let start = (10 + call * (length + 30)) * millisecond
        let end = start + length * millisecond
        launch.samples(["_start", "main", "spin"], from: start, to: end)
        launch.pause(from: end, to: end + 30 * millisecond)
        launch.waitStack(stack, at: end)
      }
      return launch
    }
    #expect(findings(launch(inside: false, length: 12)).isEmpty)
    let separate = try #require(findings(launch(inside: false, length: 30)).first)
    #expect(separate.subject == "spin" && separate.occurrences == 5 && separate.actual <= 31 * millisecond)
    #expect(try #require(findings(launch(inside: true, length: 12)).first).actual > 150 * millisecond)
  }

  /// A wait ended the inner call, and a later sample the outer one, at an earlier estimate. So both were findings about
  /// the same time.
  @Test func aCallEndsAfterTheCallsInIt() {
    var launch = launch()
    launch.samples(["main", "outer", "inner"], from: 0, to: 40 * millisecond)
    launch.pause(from: 40 * millisecond + 900_000, to: 45 * millisecond)
    launch.waitStack(["main", "outer", "poll"], at: 40 * millisecond + 900_000)
    launch.samples(["main", "other"], from: 45 * millisecond, to: 50 * millisecond)
    #expect(findings(launch).map(\.subject) == ["inner"])
  }

  /// A stack of one function, and stacks without `main > load`, said that `load` had returned.
  @Test(arguments: [["step"], ["walk", "step"]]) func aStackWithoutItsOuterPartEndsNoCall(cut: [String]) {
    var launch = launch()
    launch.samples(["_start", "main", "load", "walk"], from: 10 * millisecond, to: 25 * millisecond)
    launch.samples(cut.map { SampleLaunch.Frame($0) }, from: 25 * millisecond, to: 27 * millisecond)
    launch.samples(["_start", "main", "load", "scan"], from: 27 * millisecond, to: 41 * millisecond)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["load"])
    #expect(findings.map(\.actual) == [31 * millisecond])
  }

  /// A coroutine has a stack of its own, which no thread began.
  @Test func aStackWithAnotherBeginningIsWhole() {
    var launch = launch()
    launch.samples(["_start", "main", "resume"], from: 10 * millisecond, to: 12 * millisecond)
    launch.samples(["start_context", "draw"], from: 12 * millisecond, to: 50 * millisecond)
    launch.samples(["_start", "main", "resume"], from: 50 * millisecond, to: 52 * millisecond)
    #expect(findings(launch).map(\.subject) == ["draw"])
  }
}
