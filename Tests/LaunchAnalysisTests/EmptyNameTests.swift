// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// A program, or another tool, may give empty names. Reports then had rows without a name.
struct EmptyNameTests {
  @Test func whatHasNoNameIsCalledThat() {
    var launch = SampleLaunch(preinit: 1_000_000)
    launch.phase("", from: 2_000_000, to: 60_000_000)
    launch.interval("", from: 3_000_000, to: 50_000_000)
    launch.mark("", at: 55_000_000)
    launch.mark("ready", at: 60_000_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.phases.contains { $0.id == "(no name)" && $0.duration == 58_000_000 })
    #expect(timeline.milestones.contains { $0.id == "(no name)" })
    #expect(timeline.findings.contains { $0.subject == "(no name)" }, "\(timeline.findings.map(\.subject))")
    expectTiling(timeline)
  }
}
