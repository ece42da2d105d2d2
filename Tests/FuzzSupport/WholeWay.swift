// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
package import LaunchReport
public import LaunchTrace

/// Does with a file everything that a command does: reader, timeline, findings, each renderer with each of its
/// options, and a comparison.
///
/// None of it may trap, whatever the file contains.
public enum WholeWay {
  /// Sees each report.
  package typealias Check = (ReportFormat, [UInt8]) -> Void

  /// nil if the bytes are not a trace.
  public static func trace(_ bytes: [UInt8]) -> Trace? {
    try? bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  /// Analyses one launch and renders it in all formats.
  public static func go(_ trace: Trace) {
    let timeline = LaunchTimeline(trace: trace)
    report([timeline])
    report([timeline, timeline])
    export(trace)
  }

  /// Reports launches in all formats, with every option that changes what a report contains.
  package static func report(_ timelines: [LaunchTimeline], check: Check = { _, _ in }) {
    let launches = LaunchSet(timelines, names: ["one", "two"])
    for format in ReportFormat.allCases {
      check(format, bytes(launches, format) { _ in })
      for options in options { check(format, bytes(launches, format, options)) }
    }
    for aspect in Breakdown.Aspect.allCases {
      for format in [ReportFormat.text, .json, .markdown] {
        check(format, bytes(launches, format) { $0.breakdown = aspect })
      }
      check(.csv, bytes(launches, .csv) { ($0.breakdown, $0.mainThreadOnly) = (aspect, true) })
    }
    for rows in ReportOptions.Rows.allCases { check(.csv, bytes(launches, .csv) { $0.rows = rows }) }
    for label in LaunchSet.Label.known {
      for format in [ReportFormat.text, .json] { check(format, bytes(launches, format) { $0.by = label }) }
    }
    for timeline in timelines { _ = timeline.record(metadata: ["key"]) }
    saving(timelines, check: check)
  }

  /// What `what-if` says about the launches.
  private static func saving(_ timelines: [LaunchTimeline], check: Check) {
    let savings = Savings(timelines)
    for (format, kind) in [(SavingsFormat.text, ReportFormat.text), (.json, .json), (.csv, .csv)] {
      let sink = MemorySink()
      try? format.write(savings, program: "app", to: sink)
      check(kind, sink.bytes)
    }
  }

  private static func export(_ trace: Trace) {
    let sink = CountingSink()
    var exporter = PerfettoTraceExporter(trace) { sink.count += $0.count }
    try? exporter.write()
  }

  /// Compares launches of one trace with those of another, in all formats.
  public static func compare(_ base: Trace, _ head: Trace) {
    compare(
      [LaunchTimeline](repeating: LaunchTimeline(trace: base), count: 3),
      [LaunchTimeline](repeating: LaunchTimeline(trace: head), count: 3))
  }

  /// Compares two sets of launches and checks the second against budgets, in all formats.
  package static func compare(
    _ base: [LaunchTimeline], _ head: [LaunchTimeline], check: (ComparisonFormat, [UInt8]) -> Void = { _, _ in }
  ) {
    let (base, head) = (Measurement.all(LaunchSet(base)), Measurement.all(LaunchSet(head)))
    let comparison = LaunchComparison(base: base, head: head)
    let result = GateResult(comparison: comparison, budgets: budgets(head, base: base), launches: head)
    for format in ComparisonFormat.allCases {
      var options = ComparisonReportOptions()
      options.ascii = format == .text
      let sink = MemorySink()
      // A sink in memory does not throw.
      try? format.write(result, options: options, to: sink)
      try? format.write(GateSuite([result], confidence: 0.99), options: options, to: CountingSink())
      check(format, sink.bytes)
    }
  }

  private static func budgets(_ head: [Measurement], base: [Measurement]) -> [BudgetCheck] {
    let total = QuantileBudget(metric: "total", fraction: 0.5, limit: 2e7)
    let rules = BudgetRules([
      BudgetRule(.phase, "open-database", 1_000_000), BudgetRule(.interval, "parse", 1_000_000),
      BudgetRule(.milestone, "ready", 5_000_000),
    ])
    let checks = try? BudgetCheck.all([total], of: head, base: base, tail: 0.005)
    return (checks ?? []) + NamedBudgets(rules, of: head, base: base, tail: 0.005).checks
  }

  private static func bytes(
    _ launches: LaunchSet, _ format: ReportFormat, _ change: (inout ReportOptions) -> Void
  ) -> [UInt8] {
    var options = ReportOptions()
    change(&options)
    let sink = MemorySink()
    // A sink in memory does not throw.
    try? format.write(launches, options: options, to: sink)
    return sink.bytes
  }

  private static let options: [@Sendable (inout ReportOptions) -> Void] = [
    { ($0.findingsOnly, $0.ascii) = (true, true) },
    { ($0.merge, $0.sort, $0.minPercent, $0.width) = (true, .time, 0, 40) },
    { ($0.isBrief, $0.mainThreadOnly) = (true, true) },
  ]
}

private final class CountingSink: ByteSink {
  var count = 0
  func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}
