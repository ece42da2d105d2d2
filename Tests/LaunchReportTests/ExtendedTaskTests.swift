// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// What a report says about extended launch tasks, which may begin or end after the launch.
struct ExtendedTaskTests {
  private let millisecond: Int64 = 1_000_000

  /// - Parameter ends: of the second task, ms; nil if it does not end.
  private func report(_ format: ReportFormat, ends: Int64?) -> String {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("first-frame", at: 50 * millisecond)
    launch.launcher(exit: 200 * millisecond)
    for (name, from, to) in [("feed", 10, 90), ("avatars", 60, ends)] as [(String, Int64, Int64?)] {
      launch.async(
        name, from: from * millisecond, to: to.map { $0 * millisecond }, lane: launch.lane(), began: launch.main,
        ended: to.map { _ in launch.main }, category: "launchprof.task")
    }
    var options = ReportOptions()
    options.width = 100
    return format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  private func rows(_ text: String) -> [[Substring]] {
    let lines = text.split(separator: "\n").drop { !$0.contains("Extended launch tasks") }.dropFirst()
    return lines.prefix { $0.hasPrefix("    ") }.map { $0.split(separator: " ") }
  }

  @Test func theyAreListedAlsoAfterTheLaunch() {
    let found = rows(report(.text, ends: 120))
    #expect(
      found.map(\.first) == ["feed", "avatars", "from"] && found.map(\.last) == ["80.00", "60.00", "120.00"], "\(found)"
    )
    let json = report(.json, ends: 120).filter { !$0.isWhitespace }
    #expect(
      json.contains(#""extendedTasks":[{"name":"feed","start":10000000,"duration":80000000},{"name":"avatars""#),
      "\(json)")
  }

  /// Nobody knows then how long the extended launch took.
  @Test func oneThatDidNotFinishIsOpen() {
    let found = rows(report(.text, ends: nil))
    #expect(found.map(\.first) == ["feed", "avatars"] && found.last?.contains("(open)") == true, "\(found)")
  }
}
