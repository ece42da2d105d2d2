// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// What a report in full says about the milestones of the program.
struct MilestoneTests {
  private func rows(_ marks: [(String, Int64)]) -> [String] {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 2000)
    for (name, time) in marks { launch.mark(name, at: time * 1_000_000) }
    launch.launcher(exit: 200_000_000, budgets: "format\t1\nmilestone\tcache filled\t40000000\n")
    var options = ReportOptions()
    options.width = 100
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("  Milestones") }.dropFirst()
    return lines.prefix { $0.hasPrefix("    ") }.map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// No report in text had them.
  @Test func thoseOfTheProgramAreListed() {
    let found = rows([("rows loaded", 20), ("cache filled", 45), ("ready", 60)])
    #expect(found == ["rows loaded 20.00", "cache filled budget 40 45.00", "ready 60.00"], "\(found)")
    #expect(rows((1...14).map { ("step \($0)", $0) }).last == "2 more")
  }

  /// The first line of the report has them.
  @Test func theEndOfTheLaunchAloneIsNotListed() { #expect(rows([("ready", 60), ("fully-drawn", 90)]) == []) }
}
