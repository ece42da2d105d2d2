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

  /// The program was gone after 65 ms. The report said nothing of the time until launchprof saw that.
  @Test func theFirstLinesSayHowLateTheExitWasSeen() {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100_000_000, isInstrumented: false,
      [
        ("ready_rule", .string("exit")), ("ready_by_default", .bool(true)), ("user_cpu_ns", .uint(65_000_000)),
        ("system_cpu_ns", .uint(0)),
      ])
    launch.pause(from: 10_000_000, to: 10_000_001)
    launch.switched(.init(.exited, at: 60_000_000, on: launch.main, cpu: 0))
    let launches = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let text = ReportFormat.text.string(launches)
    #expect(text.contains("ready by default, seen up to 35.000 ms late: its exit"), "\(text)")
    #expect(ReportFormat.json.string(launches).contains("\"error\": 34999999"))
  }
}
