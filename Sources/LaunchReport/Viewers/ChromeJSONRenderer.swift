// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Chrome's trace events, of the first launch. They are the whole recording, also what came after the launch.
struct ChromeJSONRenderer: ReportRenderer {
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    // The timeline's trace: its `load` ends where the observer saw it end.
    guard let trace = launches.launches.first?.timeline.trace else { return }
    try ChromeTraceExporter().write(trace, to: sink.pass)
  }
}
