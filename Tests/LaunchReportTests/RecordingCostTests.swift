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

  /// With perf events, launchprof sets no breakpoint instructions. Signals to a shell, to which it stays attached, were called so.
  @Test(arguments: [("perf", "stops by launchprof"), ("ptrace", "breakpoint instructions")])
  func whatDelayedTheProgramIsNamed(means: String, cause: String) {
    var launch = SampleLaunch()
    launch.mark("ready", at: 60_000_000)
    launch.launcher(exit: 60_000_000, [("observer", .string(means)), ("held_up_ns", .uint(8_000_000))])
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains("\(cause) delayed the program by 8.00 ms"), "\(text)")
  }
}
