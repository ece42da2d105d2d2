// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Profiles for other viewers end with the launch, as reports do.
struct ViewerExtentTests {
  private let millisecond: Int64 = 1_000_000

  /// A launch of 30 ms. One interval goes on after it, and one begins after it.
  private func launch(fullyDrawn: Int64? = nil) -> SampleLaunch {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: millisecond)
    launch.interval("listen", from: 20 * millisecond, to: 80 * millisecond)
    launch.mark("ready", at: 30 * millisecond)
    launch.interval("serve", from: 40 * millisecond, to: 70 * millisecond)
    if let fullyDrawn { launch.mark("fully-drawn", at: fullyDrawn) }
    launch.instant("request", at: 50 * millisecond, category: "app")
    launch.samples(["main", "spin"], from: 10 * millisecond, to: 60 * millisecond)
    launch.launcher(exit: 90 * millisecond)
    return launch
  }

  private func readAgain(_ timeline: LaunchTimeline, _ format: ReportFormat) throws -> LaunchTimeline {
    let bytes = Array(format.string(LaunchSet([timeline])).utf8)
    return LaunchTimeline(trace: try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) })
  }

  private func names(_ timeline: LaunchTimeline) -> Set<String> {
    let trace = timeline.trace
    return Set((trace.slices.name + trace.instants.name).map { trace.strings[StringID(rawValue: $0)] })
  }

  @Test(arguments: [ReportFormat.firefox, .speedscope]) func whatCameAfterTheLaunchIsLeftOut(format: ReportFormat)
    throws
  {
    let again = try readAgain(LaunchTimeline(trace: launch().trace()), format)
    #expect(again.total == 30 * millisecond)
    #expect(again.trace.samples.weight.reduce(0, +) == 20 * millisecond)
    #expect(names(again).contains("listen") && names(again).isDisjoint(with: ["serve", "request", "exit"]))
  }

  /// Reports, too, show the phase `extended`.
  @Test(arguments: [ReportFormat.firefox, .speedscope]) func anExtendedLaunchEndsWhenItIsFullyDrawn(
    format: ReportFormat
  ) throws {
    let again = try readAgain(LaunchTimeline(trace: launch(fullyDrawn: 55 * millisecond).trace()), format)
    #expect(again.total == 55 * millisecond)
    #expect(again.trace.samples.weight.reduce(0, +) == 45 * millisecond)
    #expect(names(again).contains("serve"))
  }
}
