// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// Reports that a person has checked. `scripts/bless LaunchReportTests` updates them after a change.
struct GoldenReportTests {
  struct Report: Sendable, CustomTestStringConvertible {
    var file: String
    var launches: LaunchSet
    var format = ReportFormat.text
    var options = ReportOptions()
    var testDescription: String { file }

    init(
      _ file: String, _ launches: [SampleLaunch], _ format: ReportFormat = .text,
      _ change: (inout ReportOptions) -> Void = { _ in }
    ) {
      self.file = file
      self.launches = LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
      self.format = format
      change(&options)
    }
  }

  private static let series: [SampleLaunch] =
    (1...12).map { .server(scale: 950 + Int64($0 * $0), run: $0, runs: 13) } + [.crash()]

  static let reports: [Report] = [
    Report("server-80.txt", [.server()]),
    Report("server-100.txt", [.server()]) { $0.width = 100 },
    Report("server-120.txt", [.server()]) { $0.width = 300 },
    Report("server-40-main.txt", [.server()]) {
      $0.width = 10
      $0.mainThreadOnly = true
    },
    Report("server-ascii.txt", [.server()]) { $0.ascii = true },
    Report("server-color.txt", [.server()]) { $0.color = true },
    Report("server-time-depth.txt", [.server()]) {
      $0.sort = .time
      $0.depth = 2
      $0.minPercent = 5
    },
    Report("server-4ms.txt", [.server(scale: 10)]),
    Report("server-0.4ms.txt", [.server(scale: 1)]),
    Report("server-20s.txt", [.server(scale: 50_000)]),
    Report("interface.txt", [.interface()]) { $0.width = 100 },
    Report("held-80.txt", [.held()]),
    Report("held-120.txt", [.held()]) { $0.width = 120 },
    Report("held-ascii.txt", [.held()]) { $0.ascii = true },
    Report("held.json", [.held()], .json),
    Report("held-phases.csv", [.held()], .csv) { $0.rows = .phases },
    Report("sampled.txt", [.sampled()]),
    Report("sampled-merged.txt", [.sampled()]) { $0.merge = true },
    Report("sampled-merged-main-time.txt", [.sampled()]) {
      $0.merge = true
      $0.mainThreadOnly = true
      $0.sort = .time
    },
    Report("sampled-merged.folded", [.sampled()], .folded) { $0.merge = true },
    Report("sampled-merged-main.json", [.sampled()], .json) {
      $0.merge = true
      $0.mainThreadOnly = true
    },
    Report("sampled-findings.txt", [.sampled()]) { $0.findingsOnly = true },
    Report("sampled-by-library.txt", [.sampled()]) { $0.breakdown = .library },
    Report("sampled-by-module.txt", [.sampled()]) { $0.breakdown = .module },
    Report("sampled-by-symbol.txt", [.sampled()]) { $0.breakdown = .symbol },
    Report("sampled-by-symbol-main.csv", [.sampled()], .csv) {
      $0.breakdown = .symbol
      $0.mainThreadOnly = true
    },
    Report("held-by-phase.txt", [.held()]) { $0.breakdown = .phase },
    Report("held-by-thread.txt", [.held()]) { $0.breakdown = .thread },
    Report("held-by-state.json", [.held()], .json) { $0.breakdown = .state },
    Report("server-brief.txt", [.server()]) { $0.isBrief = true },
    Report("held-brief-160.txt", [.held()]) {
      $0.isBrief = true
      $0.width = 160
    },
    Report("sampled-brief.txt", [.sampled()]) { $0.isBrief = true },
    Report("crash-brief-ascii.txt", [.crash()]) {
      $0.isBrief = true
      $0.ascii = true
    },
    Report("crowd-brief.txt", [.crowd(threads: 3000)]) { $0.isBrief = true },
    Report("series-brief.txt", series) { $0.isBrief = true },
    Report("crash.txt", [.crash()]),
    Report("launcher-only.txt", [.launcherOnly()]),
    Report("crowd.txt", [.crowd(threads: 3000)]),
    Report("series.txt", series),
    Report("series-ascii-time.txt", Array(series.prefix(4))) {
      $0.ascii = true
      $0.sort = .time
      $0.width = 100
    },
    Report("none-counts.txt", [.crash(), .crash()]),
    Report("nothing.txt", []),
    Report("server.csv", [.server()], .csv),
    Report("interface-main.csv", [.interface()], .csv) { $0.mainThreadOnly = true },
    Report("series-phases.csv", [.server(), .interface(), .crash()], .csv) { $0.rows = .phases },
    Report("server.folded", [.server()], .folded),
    Report("interface.json", [.interface()], .json),
    Report("series.json", [.crash(), .server(), .server()], .json) { $0.mainThreadOnly = true },
    Report("server.md", [.server()], .markdown),
    Report("series.md", series, .markdown),
  ]

  @Test(arguments: reports) func isAsBlessed(_ report: Report) throws {
    let text = report.format.string(report.launches, options: report.options)
    if let difference = try Golden.difference(text, "reports/" + report.file) {
      Issue.record(Comment(rawValue: difference))
    }
  }
}
