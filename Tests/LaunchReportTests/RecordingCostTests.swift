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
}
