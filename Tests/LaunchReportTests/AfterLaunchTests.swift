// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// What the text says of a launch of 30 ms whose program went on until it was fully drawn, at 180 ms.
struct AfterLaunchTests {
  private let millisecond: Int64 = 1_000_000

  private func report(_ options: ReportOptions, _ format: ReportFormat = .text) -> String {
    var launch = SampleLaunch(preinit: 1000)
    launch.interval("parse", from: 10 * millisecond, to: 25 * millisecond)
    launch.mark("ready", at: 30 * millisecond)
    launch.interval("read notes", from: 40 * millisecond, to: 100 * millisecond)
    launch.mark("fully-drawn", at: 180 * millisecond)
    launch.launcher(exit: 200 * millisecond, [("observer", .string("perf")), ("wait_states", .string("kernel"))])
    launch.pause(from: 100 * millisecond, to: 170 * millisecond)
    return format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  private func row(_ name: String, _ text: String) -> [Substring] {
    text.split(separator: "\n").last { $0.contains(name) }?.split(separator: " ") ?? []
  }

  /// As everywhere else, it is of the launch, and what came after it is no part of that.
  @Test func theShareIsOfTheLaunch() {
    var options = ReportOptions()
    let tree = report(options)
    #expect(row(" parse", tree).prefix(3) == ["15.00", "15.00", "50.0"], "\(tree)")
    let after = row(" read notes", tree)
    #expect(after.prefix(2) == ["60.00", "60.00"] && !after.contains("200.0"), "\(tree)")
    options.minPercent = 20
    #expect(!row(" parse", report(options)).isEmpty)
    options.breakdown = .phase
    let phase = row(" extended", report(options))
    #expect(phase.prefix(2) == ["150.00", "150.00"] && !phase.contains("500.0"), "\(report(options))")
  }

  /// The column was as wide as the share of the time after the launch, which it does not show.
  @Test func theColumnIsAsWideAsItsNumbers() {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("ready", at: 1 * millisecond)
    launch.interval("read notes", from: 2 * millisecond, to: 180_000 * millisecond)
    launch.mark("fully-drawn", at: 180_000 * millisecond)
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(text.contains("self     %"), "\(text)")
  }

  @Test(arguments: [false, true]) func statesAfterTheLaunchAreNamed(isBrief: Bool) {
    var options = ReportOptions()
    options.isBrief = isBrief
    let text = report(options)
    #expect(text.contains("sleeping or waiting, after the launch"), "\(text)")
  }

  /// With several launches, there is a row for each group. With one, the whole report came instead.
  @Test(arguments: [ReportFormat.text, .markdown]) func oneLaunchIsAGroup(format: ReportFormat) {
    var options = ReportOptions()
    options.by = LaunchSet.Label("version")
    let text = report(options, format)
    #expect(text.contains("Version") && !text.contains("Flame tree"), "\(text)")
  }
}
