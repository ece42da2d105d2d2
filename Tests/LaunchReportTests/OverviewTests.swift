// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a reader sees first: one screen for any launch.
struct OverviewTests {
  private static let launches: [(name: String, launch: SampleLaunch)] = [
    ("server", .server()), ("interface", .interface()), ("held", .held()), ("sampled", .sampled()), ("crash", .crash()),
    ("launcher only", .launcherOnly()), ("crowd", .crowd(threads: 3000)),
  ]

  private func lines(_ launches: [SampleLaunch], width: Int = 80) -> [String] {
    var options = ReportOptions()
    options.isBrief = true
    options.width = width
    let text = ReportFormat.text.string(
      LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) }), options: options)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test(arguments: launches.indices) func fitsOnAScreen(_ index: Int) {
    for count in [1, 3] {
      let lines = lines([SampleLaunch](repeating: Self.launches[index].launch, count: count))
      #expect(lines.count <= 40, "\(Self.launches[index].name): \(lines.joined(separator: "\n"))")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
      #expect(lines.last == "  More: launchprof report --full, --findings, --by library, --merge")
    }
  }

  @Test func aWideTerminalIsUsed() {
    let widest = lines([.sampled()], width: 160).map(\.count).max() ?? 0
    #expect(widest > 120 && widest <= 160)
  }

  /// Findings of one kind share a row, with their number.
  @Test func findingsOfOneKindShareARow() throws {
    var launch = SampleLaunch()
    launch.launcher(exit: 900_000_000)
    for place in 0..<5 as Range<Int64> {
      let start = place * 100_000_000
      launch.interval("work \(place)", from: start + 10_000_000, to: start + (60 + place) * 1_000_000)
    }
    let rows = lines([launch]).filter { $0.contains("main-thread-over-budget") }
    #expect(rows.count == 1 && rows[0].contains("+4 more"), "\(rows)")
  }

  /// The report says at its beginning what a foreign trace lacks, even if the trace has no phases.
  @Test func eventsThatWereLeftOutAreCounted() throws {
    let text = """
      [{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1},
      {"ph":"X","name":"b","ts":9007199254740993,"dur":1,"pid":1,"tid":1}]
      """
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    var options = ReportOptions()
    options.isBrief = true
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: trace)]), options: options)
    #expect(report.contains("1 event ignored: the time, duration or weight is too large for a launch"))
  }
}
