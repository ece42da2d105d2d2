// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// A thread of another program ends a wait of the main thread. The trace has no turns of it.
struct BreakdownReportTests {
  private let millisecond: Int64 = 1_000_000

  private func launch(wokenBy waker: (Int32, String)) -> SampleLaunch {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    let own = launch.thread(4720, name: "own")
    launch.turn(from: 5 * millisecond, to: 12 * millisecond, on: own)
    launch.pause(from: 10 * millisecond, to: 50 * millisecond)
    launch.wakeup(at: 50 * millisecond, by: launch.thread(waker.0, name: waker.1))
    return launch
  }

  private func report(_ format: ReportFormat, _ others: [SampleLaunch] = []) -> String {
    var options = ReportOptions()
    options.breakdown = .thread
    return format.string(
      LaunchSet(([launch(wokenBy: (5001, "other"))] + others).map { LaunchTimeline(trace: $0.trace()) }),
      options: options)
  }

  @Test func inTextUnknownTimesAreBlank() throws {
    let text = report(.text)
    let other = try #require(text.split(separator: "\n").first { $0.contains("other (5001)") })
    #expect(other.split(separator: " ") == ["40.00", "other", "(5001)"])
    #expect(text.contains("Blank: "))
  }

  /// It is the part of `total` in the flame tree, and of `self` here.
  @Test func theReportSaysOfWhatPercentagesAre() {
    #expect(report(.text).contains("\n  % is the part of ran. 100 % is the launch: 100.00 ms.\n"), "\(report(.text))")
    var launch = SampleLaunch(exit: 100 * millisecond)
    launch.samples(["main", "run"], from: 0, to: 40 * millisecond)
    var options = ReportOptions()
    options.breakdown = .symbol
    let text = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    #expect(text.contains("\n  % is the part of self. 100 % is all samples: 40.00 ms.\n"), "\(text)")
    #expect(!text.contains("means of"))
    let several = LaunchSet((0..<3).map { _ in LaunchTimeline(trace: launch.trace()) })
    #expect(ReportFormat.text.string(several, options: options).contains("\n  Numbers are means of 3 launches.\n"))
    #expect(ReportFormat.json.string(several, options: options).contains(#""meansOf": 3"#))
  }

  @Test func inCSVUnknownTimesAreEmpty() {
    let rows = report(.csv).split(separator: "\r\n")
    #expect(rows.contains("thread,other (5001),ns,,,turns,,,,40000000,0"))
    #expect(rows.contains("thread,own (4720),ns,45000000,7000000,turns,2,,,,"))
  }

  /// Most launches do not have the thread, and count as 0. That is known.
  @Test func aThreadOfFewLaunchesHasTimes() throws {
    var alone = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    alone.pause(from: 10 * millisecond, to: 50 * millisecond)
    let helped = launch(wokenBy: (4720, "own"))
    let rows = report(.csv, [helped, alone, alone, alone]).split(separator: "\r\n")
    let own = try #require(rows.first { $0.hasPrefix("thread,own,") })
    #expect(own.hasPrefix("thread,own,ns,0,0,turns,0,"), "\(rows)")
  }

  @Test func inMarkdownOneLaunchHasItsOwnHead() {
    let text = report(.markdown)
    #expect(!text.contains("launches") && !text.contains("counted") && !text.contains("median"), "\(text)")
    #expect(report(.markdown, [launch(wokenBy: (4720, "own"))]).contains("2 counted · none left out\n\n"))
  }

  @Test func inJSONUnknownTimesAreAbsent() {
    let text = report(.json).filter { !$0.isWhitespace }
    #expect(text.contains(#"{"name":"other(5001)","critical":40000000,"criticalLikely":0}"#))
  }
}
