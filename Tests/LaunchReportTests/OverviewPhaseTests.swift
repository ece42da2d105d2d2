// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// Which inner phases are on the first screen of a report.
struct OverviewPhaseTests {
  private let millisecond: Int64 = 1_000_000

  private func rows(_ launch: SampleLaunch) -> [String] {
    var options = ReportOptions()
    options.isBrief = true
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    return text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// The launch of a script read `exec 60.00`, as if the kernel needed that time to start the program.
  @Test func aProgramThatIsAloneInExecIsNamed() {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    for (path, time) in [("/usr/bin/perl", 1), ("/opt/notes", 59)] as [(String, Int64)] {
      launch.instant("exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))])
    }
    launch.instant("loader-started", at: 60 * millisecond, category: "launchprof.point")
    let rows = rows(launch)
    let exec = rows.firstIndex { $0.contains("exec 60.00") }
    #expect(exec.map { rows[$0 + 1].contains("perl 58.00") } == true, "\(rows)")
  }
}
