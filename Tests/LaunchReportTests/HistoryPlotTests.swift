// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis
@testable import LaunchReport

/// How plots of a history show changes.
struct HistoryPlotTests {
  /// Commits `c0`, `c1`, … with one launch each.
  private let series: HistorySeries

  init() throws {
    let measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    let key = HistoryKey(program: "p", machine: "m", configuration: "c")
    let rows = (0..<6).map {
      HistoryRow(id: Int64($0), added: Int64($0), key: key, commit: "c\($0)", measurement: measurement)
    }
    series = HistorySeries(.total, of: rows)
  }

  /// The line of each commit.
  private func rows(_ changes: [HistorySeries.Change]) -> [Substring] {
    MemorySink.text { try HistoryText(series, changes: changes, options: ComparisonReportOptions()).write(to: $0) }
      .split(separator: "\n").filter { $0.contains("(1)") }
  }

  /// A commit that made a change may also be one of those of which one made an earlier one. Its mark and its number did not show.
  @Test func twoChangesThatOverlapAreShown() {
    let rows = self.rows([
      HistorySeries.Change(
        place: 2, places: 1...4, probabilities: [0.2, 0.5, 0.2, 0.1], levels: .init(before: 100, after: 110)),
      HistorySeries.Change(place: 4, places: 4...4, probabilities: [1], levels: .init(before: 110, after: 99)),
    ])
    #expect(rows.map { $0.prefix(4) } == ["  c0", "? c1", "? c2", "? c3", "! c4", "  c5"], "\(rows)")
    #expect(rows[2].hasSuffix("  +10.0 %") && rows[4].hasSuffix("  −10.0 %") && !rows[3].hasSuffix("%"), "\(rows)")
  }

  /// A commit that reads more, and computes a little more: the wall time says how large that is.
  @Test func aSmallerChangeOfTheCPUTimeIsNotTheSize() {
    let levels = HistorySeries.Change.Levels(before: 100, after: 142)
    let change = HistorySeries.Change(
      place: 3, places: 3...3, probabilities: [1], levels: levels, cpu: .init(before: 40_000_000, after: 42_000_000))
    #expect(change.relative == levels.relative && !change.isSizeOfCPU)
    #expect(rows([change])[3].hasSuffix("  +42.0 %"))
  }

  /// The plots had only the wall time, which other work on the machine may have changed in the other direction.
  @Test func aChangeThatTheCPUTimeShowsHasItsSize() throws {
    let change = HistorySeries.Change(
      place: 3, places: 3...3, probabilities: [1], levels: .init(before: 100, after: 99),
      cpu: .init(before: 3_000_000, after: 4_386_000))
    #expect(change.relative > 0)
    let rows = self.rows([change])
    #expect(rows[3].hasSuffix("  cpu +46.2 %") && rows.allSatisfy { $0.count <= 80 }, "\(rows)")
    let picture = MemorySink.text { try HistorySVG(series, changes: [change]).write(to: $0) }
    #expect(picture.contains("fill=\"#c0392b\" text-anchor") && picture.contains(">c3 cpu +46.2 %<"), "\(picture)")
    let page = MemorySink.text { try HistoryPage(series, changes: [change]).write(to: $0) }
    #expect(page.contains("\"cpu\":{\"before\":3000000.0,\"after\":4386000.0"), "\(page)")
  }
}
