// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

struct RecordingCostTests {
  /// It was "about under 0.001 ms".
  @Test func aCostThatIsHardlyAnyIsUnderABound() {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, startupCost: 200)
    launch.mark("ready", at: 60_000_000)
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains("recording cost under 0.001 ms"), "\(text)")
  }

  /// Its loading and its work were those of a program that only started it.
  @Test func whatTheProgramExecutedIsNamed() {
    func text(executedAt time: Int64) -> String {
      var launch = SampleLaunch(preinit: 5_000_000)
      launch.instant("exec", at: 100_000, category: "launchprof.point", [("path", .string("/usr/bin/notes-server"))])
      launch.instant("exec", at: time, category: "launchprof.point", [("path", .string("/usr/bin/echo"))])
      launch.mark("ready", at: 60_000_000)
      launch.launcher(exit: 70_000_000)
      return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    }
    #expect(text(executedAt: 20_000_000).inOneLine.contains("executed echo, whose time is in these phases"))
    #expect(!text(executedAt: 65_000_000).contains("executed echo"))
  }

  /// With perf events, launchprof sets no breakpoint instructions. Signals to a shell, to which it stays attached, were called so.
  @Test(arguments: [("perf", "stops by launchprof"), ("ptrace", "breakpoint instructions")])
  func whatDelayedTheProgramIsNamed(means: String, cause: String) {
    var launch = SampleLaunch()
    launch.mark("ready", at: 60_000_000)
    launch.launcher(exit: 60_000_000, [("observer", .string(means)), ("held_up_ns", .uint(8_000_000))])
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains("\(cause) delayed the program by 8.00 ms"), "\(text)")
  }

  /// Each child of a shell stops it once. On a busy machine, that was a quarter of a launch.
  @Test(arguments: [("perf", 8, true), ("perf", 1, false), ("ptrace", 8, false)] as [(String, UInt64, Bool)])
  func aLongDelayComesWithWhatAvoidsIt(means: String, delay: UInt64, isTold: Bool) {
    var launch = SampleLaunch()
    launch.mark("ready", at: 60_000_000)
    launch.launcher(exit: 60_000_000, [("observer", .string(means)), ("held_up_ns", .uint(delay * 1_000_000))])
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.inOneLine.contains("\(delay).00 ms: --no-observation avoids that") == isTold, "\(text)")
  }
}
