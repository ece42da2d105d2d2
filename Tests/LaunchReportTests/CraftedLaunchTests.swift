// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// Launches with a million of something: what formats keep of each, and how much they write.
struct CraftedLaunchTests {
  /// They took 170 and 400 bytes, and a report eleven times the file.
  @Test func whatViewersKeepOfAnIntervalIsSmall() {
    #expect(MemoryLayout<ViewerSpan>.stride <= 4)
    #expect(MemoryLayout<FirefoxMarker>.stride <= 8)
  }

  /// Each path repeats a name of 31,000 bytes: 620 MB in all.
  @Test(arguments: [ReportFormat.csv, .folded]) func pathsAreBounded(format: ReportFormat) {
    var launch = SampleLaunch()
    launch.interval(String(repeating: "n", count: 31_000), from: 1000, to: 10_000_000)
    for place in 0..<20_000 as Range<Int64> {
      launch.interval("work \(place)", from: 2000 + place * 100, to: 2050 + place * 100)
    }
    let report = format.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    #expect(report.utf8.count < 5_000_000)
    #expect(report.contains("...;work 19999"))
  }

  /// A list of the rows of a million phases would take a gigabyte.
  @Test func rowsAreVisitedOneByOne() {
    let launch = LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())]).launches[0]
    var ids: [String] = []
    LaunchReport.CSVTable.phases.visit(launch) { ids.append($0[0]) }
    #expect(ids.count > 5 && ids.contains("main"))
  }

  /// Each is a four-hundredth of a percent of the launch.
  @Test func ofTooManyOverBudgetShortOnesAreSummedUp() {
    var launch = SampleLaunch()
    for place in 0..<41_000 as Range<Int64> {
      launch.interval("work \(place)", from: place * 20_000_000, to: place * 20_000_000 + 17_000_000)
    }
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let rows = ReportFormat.text.string(set).split(separator: "\n").filter { $0.contains("└ ") || $0.contains("├ ") }
    #expect(rows.count < 100)
  }

  @Test func stacksOfManySamplesAreShorter() {
    var launch = SampleLaunch()
    launch.samples((0..<600).map { SampleLaunch.Frame(stringLiteral: "f\($0)") }, from: 0, to: 10_000_000)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let shown = SpeedscopeLaunch(shown: ViewerLaunch(set.launches[0], mainThreadOnly: false), prefix: "")
    #expect(shown.deepest([0]) == 512)
    // Each sample of the million takes 268 bytes.
    #expect(shown.deepest([Int32](repeating: 0, count: 1_000_000)) == 67)
  }
}
