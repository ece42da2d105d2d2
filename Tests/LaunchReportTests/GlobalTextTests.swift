// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a report says about all lazy globals together.
struct GlobalTextTests {
  private func text(_ names: [String]) -> String {
    var launch = SampleLaunch()
    launch.launcher(exit: 100_000_000, [("observer", .string("perf")), ("globals", .string("uprobes"))])
    for (index, name) in names.enumerated() {
      let start = Int64(index + 1) * 10_000_000
      launch.global(name, from: start, to: start + 2_000_000, token: UInt64(index))
    }
    var options = ReportOptions()
    options.width = 200
    return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  @Test func namesTellWhoseTheyAre() {
    let text = text(["app.A.all", "app.B.all"])
    #expect(text.contains("Lazy globals: 2 of the program, 4.00 ms; none of Swift's own libraries\n"), "\(text)")
  }

  /// The report had "none of the program" of a stripped program, whose globals have no names.
  @Test func withoutNamesNobodyIsLeftOut() {
    let text = text(["notes-server+0x12a0", "notes-server+0x22b0"])
    #expect(
      text.contains("Lazy globals: 2 without a name, 4.00 ms; to see names, record a program with symbols\n"), "\(text)"
    )
  }
}
