// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

struct HistoryPictureTests {
  /// A store may have been damaged.
  @Test(arguments: [-9e18, 0, 9e18]) func extremeValuesAreDrawn(total: Double) throws {
    var measurement = try #require(
      Measurement.all(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())])).first)
    measurement.values[.total] = total
    let row = HistoryRow(
      id: 1, added: 1, key: HistoryKey(program: "p", machine: "m", configuration: "c"), commit: "a",
      measurement: measurement)
    let series = HistorySeries(.total, of: [row])
    let sink = MemorySink()
    try HistorySVG(series, changes: []).write(to: sink)
    try HistoryText(series, changes: [], options: ComparisonReportOptions()).write(to: sink)
    #expect(String(decoding: sink.bytes, as: UTF8.self).contains("</svg>"))
  }
}
