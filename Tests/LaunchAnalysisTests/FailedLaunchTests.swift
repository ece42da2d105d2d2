// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Launches that did not reach their end: where they ended, and what the finding says of it.
struct FailedLaunchTests {
  /// Its time until the crash looked like the time that the phase takes.
  @Test func aRecordHasNoTimeOfAPhaseInWhichTheLaunchFailed() {
    let record = LaunchTimeline(trace: SampleLaunch.crash().trace()).record()
    let keys = record.fields.map(\.key)
    #expect(record.text(.outcome) == "failed")
    #expect(keys.contains("at.open-database") && !keys.contains("phase.open-database"))
    #expect(keys.contains("phase.static-init"))
  }

  /// The same for a program without the library, which was in `main` when its time was over.
  @Test(arguments: [("timed-out", false), ("signalled", false), ("exited", true)])
  func aRecordHasNoTimeOfAnUnfinishedMain(outcome: String, hasTime: Bool) {
    var launch = SampleLaunch()
    launch.mark("main", at: 2_000_000)
    launch.launcher(
      exit: 300_000_000, outcome: outcome, signal: outcome == "signalled" ? 9 : 0, isInstrumented: false)
    let keys = timeline(launch).record().fields.map(\.key)
    #expect(keys.contains("phase.main") == hasTime && keys.contains("at.main"), "\(keys)")
  }

  private func timeline(_ launch: SampleLaunch) -> LaunchTimeline { LaunchTimeline(trace: launch.trace()) }

  private func names(_ timeline: LaunchTimeline) -> [String] { timeline.phases.map(\.id) }

  @Test func aCrashEndsAtTheLastThingKnown() {
    let timeline = timeline(.crash())
    expectTiling(timeline)
    #expect(names(timeline) == ["load", "static-init", "main", "open-database"])
    #expect(timeline.phases.last?.isUnfinished == true)
    #expect(timeline.endMilestone == MilestoneName.exit)
    #expect(timeline.total == 61_000_000)
    #expect(!timeline.isComplete)
    #expect(timeline.findings.first?.id == FindingName.failedLaunch)
    #expect(timeline.findings.first?.subject == "open-database")
    // The numbers of all others depend on it.
    #expect(timeline.findings.dropFirst().first?.id == FindingName.debugBuild)
  }

  /// The end lies in no phase, so it is after the last one.
  @Test func aFailureAfterTheLastPhaseIsNotInIt() {
    var launch = SampleLaunch()
    launch.launcher(exit: 60 * 1_000_000, status: 7, isInstrumented: false)
    launch.phase("load", from: 0, to: 10 * 1_000_000)
    let finding = timeline(launch).findings.first { $0.id == FindingName.failedLaunch }
    #expect(
      finding?.advice
        == "It ended after load with status 7. Read its messages. If the program did its work: --success 7.")
  }

  /// `grep` that finds nothing exits with 1. All its launches had failed.
  @Test func aStatusThatIsAnAnswerIsNoFailure() {
    var launch = SampleLaunch()
    launch.launcher(exit: 60 * 1_000_000, status: 1, isInstrumented: false, [("exit_success", .bool(true))])
    let timeline = timeline(launch)
    #expect(timeline.outcome == .succeeded(status: 1) && timeline.outcome.name == "exited" && timeline.isComplete)
    #expect(!timeline.findings.contains { $0.id == FindingName.failedLaunch })
    #expect(timeline.record().text(.outcome) == "completed")
  }

  /// A shell uses these for other reasons, so they are no answers.
  @Test(arguments: [126, 127, 139]) func aStatusOfAShellIsNoAnswer(status: Int) {
    var launch = SampleLaunch()
    launch.launcher(exit: 60 * 1_000_000, status: status, isInstrumented: false)
    let finding = timeline(launch).findings.first { $0.id == FindingName.failedLaunch }
    #expect(finding?.advice.contains("Read its messages.") == true && finding?.advice.contains("--success") == false)
  }

  @Test func killedInItsInitializers() {
    var launch = SampleLaunch(preinit: 1000)
    launch.initializer("libslow.so initializer 1", image: "/lib/libslow.so", from: 1100, to: 1500)
    launch.initializer("libslow.so initializer 2", image: "/lib/libslow.so", from: 1500, to: nil)
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(names(timeline) == ["load", "static-init"])
    #expect(timeline.phases[1].children.map(\.id) == ["libslow.so initializer 1", "libslow.so initializer 2"])
    // A program that calls exit(3) there has neither been killed nor is it still running.
    let finding = timeline.findings.first { $0.id == FindingName.failedLaunch }
    let causes = "the program ended or was killed there, stopped the recording, or still runs."
    #expect(finding?.advice.contains(causes) == true)
    #expect(finding?.evidence.last?.time == nil)
    #expect(timeline.phases[1].children[1].isUnfinished)
    #expect(timeline.endMilestone == MilestoneName.lastEvent)
    #expect(!timeline.isComplete)
  }

  /// A program with an `async` main began it before its main actor left the first thread.
  @Test func killedInAPhaseThatMaySuspend() {
    var launch = SampleLaunch(preinit: 1000)
    launch.async(
      "connect", from: 2000, to: nil, lane: launch.lane(), began: launch.main, ended: nil, category: "launchprof.phase")
    let timeline = timeline(launch)
    #expect(!timeline.isComplete)
    #expect(timeline.findings.first?.evidence.last?.text == "connect (open)")
  }

  /// The recorder takes a snapshot of the clocks when the program exits. So the open phase lasts until then.
  @Test func aProgramThatRecordsItselfExitsInAPhase() {
    var launch = SampleLaunch(preinit: 1000)
    launch.phase("did-finish-launching", from: 2000, to: nil)
    let exit = launch.origin + 42_000
    launch.builder.trace.clockSnapshots = [launch.origin + 1000, exit].map { ClockSnapshot(readings: [3: $0, 6: $0]) }
    let timeline = timeline(launch)
    expectTiling(timeline)
    #expect(timeline.endMilestone == MilestoneName.lastEvent)
    #expect(timeline.end == exit)
    #expect(timeline.phases.last?.end == exit)
  }

  /// It counted as complete, and was the shortest launch of its set.
  @Test(arguments: [(1, false), (2, true)])
  func aProgramThatRecordsItselfAndDoesNotExitIsNotComplete(snapshots: Int64, isComplete: Bool) {
    var launch = SampleLaunch(preinit: 1000)
    launch.phase("static-init", from: 2000, to: 3000)
    launch.builder.trace.clockSnapshots = (0..<snapshots).map {
      let time = launch.origin + 1000 + $0 * 8000
      return ClockSnapshot(readings: [3: time, 6: time])
    }
    let timeline = timeline(launch)
    #expect(timeline.endMilestone == MilestoneName.lastEvent && timeline.isComplete == isComplete)
    #expect(timeline.record().text(.outcome) == "failed")
    let finding = timeline.findings.first { $0.id == FindingName.failedLaunch }
    #expect((finding == nil) == isComplete && finding?.advice.contains("work still open") != true)
  }

  /// A program may forget an `endInterval` and exit in order.
  @Test func aForgottenIntervalIsNoFailure() {
    var launch = SampleLaunch(preinit: 1000)
    launch.async("forgotten", from: 2000, to: nil, lane: launch.lane(), began: launch.main, ended: nil)
    #expect(timeline(launch).isComplete)
  }

  /// The end of the launch is missing in it, whether or not the program was killed.
  @Test func aFullTraceDoesNotSayHowTheProgramEnded() {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, source: "estimated", dropped: 7)
    launch.phase("did-finish-launching", from: 2000, to: nil)
    let finding = timeline(launch).findings.first { $0.id == FindingName.failedLaunch }
    #expect(finding?.advice.hasPrefix("The trace is full. It ends in did-finish-launching, and how") == true)
    #expect(finding?.advice.hasSuffix("or LAUNCHPROF_LIMIT, or free space on the disk.") == true)
  }

  @Test(arguments: [
    (13, "pipe"), (11, "core dump"), (9, "memory runs out"), (9, "ulimit -t"), (24, "ulimit -t"), (25, "ulimit -f"),
    (15, "which process"), (2, "--ready"),
  ])
  func theAdviceFitsTheSignal(signal: Int, words: String) {
    var launch = SampleLaunch()
    launch.launcher(exit: 23_400_000, outcome: "signalled", signal: signal, isInstrumented: false)
    #expect(timeline(launch).findings.first?.advice.contains(words) == true)
  }

  @Test func onlyOpenIntervalsAreMentioned() {
    var launch = SampleLaunch()
    launch.launcher(exit: 23_400_000, outcome: "timed-out", isInstrumented: false)
    #expect(timeline(launch).findings.first?.advice.contains("(open)") == false)
    launch.interval("query", from: 1_000_000, to: nil)
    #expect(timeline(launch).findings.first?.advice.contains("(open)") == true)
  }

  /// More time would not have helped: the server listened on another port.
  @Test func theRuleThatWasNotMetIsNamed() throws {
    func advice(isDefault: Bool, signal: Int = 0) throws -> String {
      var launch = SampleLaunch()
      launch.launcher(
        exit: 90_000_000, outcome: signal == 0 ? "timed-out" : "signalled", signal: signal,
        [
          ("ready_rule", .string("listen")), ("ready_argument", .string("8081")),
          ("ready_by_default", .bool(isDefault)),
        ])
      return try #require(timeline(launch).findings.first { $0.id == "failed-launch" }).advice
    }
    #expect(
      try advice(isDefault: false).hasSuffix(
        "and never listened on 8081. Allow more with --timeout, or choose another rule with --ready."))
    #expect(
      try advice(isDefault: false, signal: 2).hasSuffix(
        "and it never listened on 8081. Choose another rule with --ready."))
    // More time does not help a program that never ends.
    #expect(try advice(isDefault: true).hasSuffix("say when it is ready: --ready. Or allow more with --timeout."))
  }

  /// A daemon's parent ended, and the daemon never listened: the message said that the time ran out in `main`.
  @Test func aProcessThatEndedDidNotRunOutOfTime() throws {
    var launch = SampleLaunch()
    launch.launcher(exit: 90_000_000, outcome: "timed-out")
    launch.mark("main", at: 1_000_000)
    launch.switched(.init(.switchedIn, at: 0, on: launch.main))
    launch.switched(.init(.exited, at: 2_000_000, on: launch.main))
    let finding = try #require(timeline(launch).findings.first { $0.id == "failed-launch" })
    #expect(finding.advice.hasPrefix("The process ended, and nothing that it left running was ready in time."))
  }

  private static let parsing: [SampleLaunch.Frame] = [
    .init("_start"), .init("main"), .init("readConfig", file: "/src/config.c", line: 42),
    .init("strlen", image: "/usr/lib/libc.so.6"),
  ]

  private func failure(_ outcome: String, status: Int = 0, signal: Int = 0, exit: Int64 = 40_400_000) throws -> Finding
  {
    var launch = SampleLaunch()
    launch.launcher(exit: exit, outcome: outcome, status: status, signal: signal, isInstrumented: false)
    launch.mark("main", at: 1_000_000)
    launch.samples(["_start", "main", "open"], from: 2_000_000, to: 20_000_000)
    launch.samples(Self.parsing, from: 20_000_000, to: 40_000_000)
    return try #require(timeline(launch).findings.first { $0.id == FindingName.failedLaunch })
  }

  /// `main` says little of a program without phases.
  @Test(arguments: [("signalled", 11, "A signal killed it in main"), ("timed-out", 0, "It ran out of time in main")])
  func theFunctionIsThatOfTheLastSample(outcome: String, signal: Int, words: String) throws {
    let finding = try failure(outcome, signal: signal)
    #expect(finding.advice.hasPrefix("\(words). The main thread's last sample was in readConfig. "))
    #expect(finding.file == "/src/config.c" && finding.line == 42)
    #expect(finding.evidence.last == Evidence(.stack, "readConfig > strlen"))
  }

  /// 40 ms later, it may be anywhere. But a core dump may take as long.
  @Test func aThreadThatWentOnIsNotWhereItWasSeen() throws {
    #expect(try !failure("signalled", signal: 9, exit: 80_000_000).advice.contains("sample"))
    #expect(try !failure("timed-out", exit: 80_000_000).advice.contains("sample"))
    #expect(try failure("signalled", signal: 11, exit: 80_000_000).advice.contains("was in readConfig"))
    #expect(try !failure("exited", status: 7).evidence.contains { $0.kind == .stack })
  }
}
