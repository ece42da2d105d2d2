// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a report says about the states of the main thread.
struct StateTextTests {
  /// Two waits for a disk, the first one with a record of its end or without one.
  private func text(isRecorded: Bool) -> String {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("kernel"))])
    launch.pause(from: 20_000_000, to: 32_500_000, .uninterruptible)
    launch.pause(from: 50_000_000, to: 60_000_000, .uninterruptible)
    if isRecorded { launch.wakeup(at: 30_000_000, by: nil) }
    launch.wakeup(at: 59_000_000, by: nil)
    var options = ReportOptions()
    options.width = 200
    return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  /// The recorder alone knows that a phase ran without a pause, and of the others only their CPU time. The report had 0 ms of
  /// running and of waiting for all others.
  @Test func whatIsNotKnownIsNotZero() {
    var launch = SampleLaunch(preinit: 3_000_000)
    let ran: SampleLaunch.Annotations = [
      ("cpu_ns", .uint(5_000_000)), ("voluntary_switches", .uint(0)), ("involuntary_switches", .uint(0)),
    ]
    launch.phase("warm-cache", from: 5_000_000, to: 10_000_000, ran)
    launch.phase("load-index", from: 10_000_000, to: 60_000_000, cpu: 12_000_000)
    launch.mark("ready", at: 60_000_000)
    var options = ReportOptions()
    options.width = 80
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("  Phases ") && $0.contains(" cpu ") && !$0.contains("running") }, "\(text)")
    #expect(lines.contains { $0.hasPrefix("  load-index ") && $0.contains(" 50.00  12.00 ") }, "\(text)")
  }

  /// Of 3 ms, the report had "2.98 ms user, 0.00 system" in one run, and nearly the contrary in the next. And a program that
  /// went on for a second had more CPU time than its launch lasted.
  @Test(
    arguments: [
      (2_980_000, 0, 60, "\nprocess: CPU 2.98 ms \u{b7} faults"),
      (60_000_000, 40_000_000, 60, "\nprocess: CPU 60.00 ms user, 40.00 system \u{b7} faults"),
      (2_980_000, 0, 900, "\nwhole process: CPU 2.98 ms \u{b7} faults"),
    ] as [(UInt64, UInt64, Int64, String)])
  func theTimesOfTheProcessAreTrue(user: UInt64, system: UInt64, exit: Int64, line: String) {
    var launch = SampleLaunch()
    launch.mark("ready", at: 50_000_000)
    launch.launcher(exit: exit * 1_000_000, [("user_cpu_ns", .uint(user)), ("system_cpu_ns", .uint(system))])
    var options = ReportOptions()
    options.width = 120
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(text.contains(line), "\(text)")
  }

  @Test func waitsWithoutARecordedEndAreCounted() {
    let sentence = "the kernel's scheduler reported blocked, sleeping and waiting"
    let missing = text(isRecorded: false)
    #expect(missing.contains(sentence + "; 1 wait, 12.50 ms, may include waiting for a CPU"), "\(missing)")
    let whole = text(isRecorded: true)
    #expect(whole.contains(sentence + "\n"), "\(whole)")
  }

  /// A thread has the name of its program, so "end of server" was read as the end of the program.
  @Test func theEndOfAThreadIsThatOfAThread() {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    _ = launch.thread(4720, name: "app")
    launch.pause(from: 20_000_000, to: 80_000_000)
    launch.look("futex", at: 30_000_000, awaited: 4720)
    var options = ReportOptions()
    options.width = 200
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(text.contains("futex, end of thread app (4720)"), "\(text)")
  }

  /// In files, the state is `runnable`.
  @Test func statesHaveOneNameInText() {
    var launch = SampleLaunch(exit: 100_000_000, isInstrumented: false)
    launch.pause(from: 20_000_000, to: 60_000_000, .preempted)
    var options = ReportOptions()
    options.breakdown = .state
    func text(_ format: ReportFormat) -> String {
      format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    }
    #expect(text(.text).contains("waiting for a CPU") && !text(.text).contains("runnable"), "\(text(.text))")
    #expect(text(.csv).contains("runnable"))
  }

  /// A state of 47.75 ms had a cause that explained 4.18 ms of it.
  @Test func aCauseOfAPartHasItsTime() {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    launch.pause(from: 20_000_000, to: 24_000_000)
    launch.look("clock_nanosleep", at: 21_000_000)
    launch.pause(from: 40_000_000, to: 80_000_000)
    let report = ReportFormat.text.string(
      LaunchSet([LaunchTimeline(trace: launch.trace())]), options: ReportOptions())
    #expect(report.contains("  clock_nanosleep, 4.00 ms\n"), "\(report)")
  }

  /// The first screen blamed `main`, which takes all of such a launch.
  @Test func theFirstScreenSaysThatTheProgramWasStopped() {
    var launch = SampleLaunch()
    launch.pause(from: 20_000_000, to: 420_000_000, .stopped)
    launch.launcher(exit: 500_000_000, isInstrumented: false, [("observer", .string("perf"))])
    var options = ReportOptions()
    (options.width, options.isBrief) = (120, true)
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(report.contains("The program was stopped for 80 % of the launch, as by Ctrl-Z or SIGSTOP."), "\(report)")
  }

  /// find and tar never sleep, but the report said so of each wait that no look had seen. One short sleep that was seen says
  /// nothing of the other waits.
  @Test(arguments: [false, true]) func theKernelsStateAloneIsNoSleep(isShortSleepSeen: Bool) {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    launch.pause(from: 20_000_000, to: 60_000_000)
    if isShortSleepSeen {
      launch.pause(from: 70_000_000, to: 70_100_000)
      launch.look("clock_nanosleep", at: 70_050_000)
    }
    var options = ReportOptions()
    options.width = 120
    for (isBrief, aspect) in [(false, nil), (true, nil), (false, .state)] as [(Bool, Breakdown.Aspect?)] {
      (options.isBrief, options.breakdown) = (isBrief, aspect)
      let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
      #expect(report.contains("sleeping or waiting"), "\(report)")
      // The table's source is "looks at /proc found blocked, sleeping and waiting".
      #expect(!report.contains(/[^,] sleeping(?! or waiting)/), "\(report)")
    }
  }

  /// The first thread of a program whose main actor left it waits in rt_sigsuspend. That name alone says nothing.
  @Test(arguments: [
    ("rt_sigsuspend", nil, "events in rt_sigsuspend, 2 times, 20.00 ms"),
    ("wait4", nil, "wait4, 2 times, 20.00 ms"),
    ("read", "/srv/a.dat", "read /srv/a.dat, 2 times, 20.00 ms"),
  ])
  func aWaitIsNamedByItsCall(call: String, path: String?, text: String) {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    for start in [20_000_000, 50_000_000] as [Int64] {
      launch.pause(from: start, to: start + 10_000_000)
      launch.look(call, at: start + 1_000_000, path: path)
    }
    var options = ReportOptions()
    options.width = 200
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(report.contains("  " + text + "\n"), "\(report)")
  }

  /// A shell waits for a short time when it starts a child. The line said "wait4, 3 times" of two waits for a child.
  @Test func waitsThatMayBeOfAnotherCallAreNotCounted() {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    launch.pause(from: 10_000_000, to: 30_000_000)
    launch.look("wait4", at: 12_000_000)
    launch.pause(from: 30_100_000, to: 30_200_000)
    launch.pause(from: 30_210_000, to: 60_210_000)
    launch.look("wait4", at: 40_000_000)
    var options = ReportOptions()
    options.width = 200
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(report.contains("  wait4, 50.10 ms\n"), "\(report)")
  }
}
