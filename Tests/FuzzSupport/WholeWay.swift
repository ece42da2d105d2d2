// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
public import LaunchTrace

/// Does with a file everything that a command does: reader, timeline, findings, each renderer with each of its
/// options, and a comparison.
///
/// None of it may trap, whatever the file contains.
public enum WholeWay {
  /// nil if the bytes are not a trace.
  public static func trace(_ bytes: [UInt8]) -> Trace? {
    try? bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  /// Analyses one launch and renders it in all formats.
  public static func go(_ trace: Trace) {
    let timeline = LaunchTimeline(trace: trace)
    let launch = LaunchSet([timeline], names: ["one"])
    report(launch)
    report(LaunchSet([timeline, timeline], names: ["one", "two"]))
    _ = timeline.record(metadata: ["key"])
    let exported = CountingSink()
    try? ChromeTraceExporter().write(trace) { exported.count += $0.count }
    var exporter = PerfettoTraceExporter(trace) { exported.count += $0.count }
    try? exporter.write()
  }

  /// Compares launches of one trace with those of another, in all formats.
  public static func compare(_ base: Trace, _ head: Trace) {
    let (base, head) = (measurements(base), measurements(head))
    let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: head)
    for format in ComparisonFormat.allCases {
      var options = ComparisonReportOptions()
      options.ascii = format == .text
      try? format.write(result, options: options, to: CountingSink())
    }
  }

  private static func measurements(_ trace: Trace) -> [Measurement] {
    let timeline = LaunchTimeline(trace: trace)
    return Measurement.all(LaunchSet([timeline, timeline, timeline]))
  }

  private static func report(_ launches: LaunchSet) {
    for format in ReportFormat.allCases {
      write(launches, format) { _ in }
      for options in options { write(launches, format, options) }
    }
    for aspect in Breakdown.Aspect.allCases {
      write(launches, .text) { $0.breakdown = aspect }
      write(launches, .csv) { ($0.breakdown, $0.mainThreadOnly) = (aspect, true) }
    }
    for rows in ReportOptions.Rows.allCases { write(launches, .csv) { $0.rows = rows } }
    for label in LaunchSet.Label.known { write(launches, .text) { $0.by = label } }
  }

  private static func write(_ launches: LaunchSet, _ format: ReportFormat, _ change: (inout ReportOptions) -> Void) {
    var options = ReportOptions()
    change(&options)
    // A sink that only counts does not throw.
    try? format.write(launches, options: options, to: CountingSink())
  }

  private static let options: [@Sendable (inout ReportOptions) -> Void] = [
    { ($0.findingsOnly, $0.ascii) = (true, true) },
    { ($0.merge, $0.sort, $0.minPercent, $0.width) = (true, .time, 0, 40) },
  ]
}

private final class CountingSink: ByteSink {
  var count = 0
  func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}
