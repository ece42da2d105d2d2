// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import CoreMetrics
internal import LaunchProfiler
import Logging
import Tracing

/// A launch in the terms of the three libraries.
struct ReportedLaunch {
  let summary: LaunchSummary

  private var outcome: String { summary.isComplete ? "completed" : summary.hasTimedOut ? "timeout" : "failed" }

  /// The labels that distinguish launches; few values each.
  private var labels: [(String, String)] {
    [
      ("outcome", outcome), ("end", summary.endMilestone), ("version", summary.version),
      ("type", summary.metadata["kind"]), ("reason", summary.metadata["reason"]),
      ("context", summary.metadata["context"]),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// Without spans of libraries.
  private var overBudget: [LaunchSummary.OverBudget] { summary.overBudget.filter { !$0.isSpan } }

  // MARK: Metrics

  func count(in factory: any MetricsFactory, _ dimensions: [(String, String)]) {
    let labels = labels + dimensions
    factory.makeCounter(label: "app.vitals.start.launches", dimensions: labels).increment(by: 1)
    if summary.isComplete { record(summary.total, "app.vitals.start.value", labels) }
    for (name, time) in summary.phaseNanoseconds {
      record(.nanoseconds(time), "app.vitals.start.phase", labels + [("phase", name)])
    }
    for milestone in summary.milestones {
      record(milestone.time, "app.vitals.start.milestone", labels + [("milestone", milestone.id)])
    }
    for name in Set(overBudget.map(\.name)) {
      factory.makeCounter(label: "app.vitals.start.over_budget", dimensions: labels + [("name", name)]).increment(by: 1)
    }
    func record(_ time: Duration, _ label: String, _ dimensions: [(String, String)]) {
      factory.makeTimer(label: label, dimensions: dimensions).recordNanoseconds(time.nanoseconds)
    }
  }

  // MARK: Log

  func log(to logger: Logger) {
    var metadata: Logger.Metadata = [
      "launch": .string(summary.id), "outcome": .string(outcome),
      "recorder_ms": .string(milliseconds(summary.recorderCost)),
    ]
    for (name, value) in labels { metadata[name] = .string(value) }
    for (name, time) in summary.phaseNanoseconds {
      metadata["phase.\(name)_ms"] = .string(milliseconds(.nanoseconds(time)))
    }
    let over = overBudget.map { "\($0.name) \(milliseconds($0.duration)) of \(milliseconds($0.budget)) ms" }
    if !over.isEmpty { metadata["over_budget"] = .array(over.map { .string($0) }) }
    let isFine = summary.isComplete && over.isEmpty
    let end = summary.endMilestone.map { " to \($0)" } ?? ""
    logger.log(
      level: isFine ? .notice : .warning, "launch \(outcome): \(milliseconds(summary.total)) ms\(end)",
      metadata: metadata)
  }

  /// With two digits. A decoded summary may have times before the start.
  private func milliseconds(_ time: Duration) -> String {
    let nanoseconds = time.nanoseconds
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 10_000)
    let hundredths = whole + (rest >= 5_000 ? 1 : 0)
    let fraction = String(hundredths % 100)
    return "\(nanoseconds < 0 ? "-" : "")\(hundredths / 100).\(fraction.utf8.count < 2 ? "0" : "")\(fraction)"
  }

  // MARK: Spans

  func trace(with tracer: any Tracer) {
    let launch = tracer.startSpan("app.start", context: .topLevel, ofKind: .internal, at: time(.zero))
    launch.updateAttributes { attributes in
      attributes["app.vitals.start.id"] = summary.id
      for (name, value) in labels where name != "version" { attributes["app.vitals.start.\(name)"] = value }
      attributes["service.version"] = summary.version
      if summary.isComplete { attributes["app.vitals.start.value"] = summary.total.nanoseconds }
      let intervals = overBudget.filter { $0.kind == .interval }.map { ($0.name, $0.duration) }
      for (name, time) in Dictionary(intervals, uniquingKeysWith: +) {
        attributes["app.vitals.start.over.\(name)"] = time.nanoseconds
      }
    }
    for milestone in summary.milestones { launch.addEvent(SpanEvent(name: milestone.id, at: time(milestone.time))) }
    tracePhases(with: tracer, in: launch)
    if !summary.isComplete { launch.setStatus(SpanStatus(code: .error, message: "the launch is not complete")) }
    launch.end(at: time(summary.total))
  }

  /// As in `LaunchSpans` of LaunchShipping, the parent of a phase is the shortest phase that contains it.
  private func tracePhases(with tracer: any Tracer, in launch: any Span) {
    var open: [(end: Duration, span: any Span)] = []
    for (name, start, end) in phases {
      while let last = open.last, last.end <= start { open.removeLast().span.end(at: time(last.end)) }
      let parent = open.last { $0.end >= end }?.span ?? launch
      let span = tracer.startSpan("app.start.\(name)", context: parent.context, ofKind: .internal, at: time(start))
      span.updateAttributes { $0["app.vitals.start.phase"] = name }
      open.append((end, span))
    }
    for (end, span) in open.reversed() { span.end(at: time(end)) }
  }

  /// Those that ran only once, the outer before the inner.
  private var phases: [(name: String, start: Duration, end: Duration)] {
    summary.phaseStartNanoseconds.compactMap { name, start in
      summary.phaseNanoseconds[name].map { (name, .nanoseconds(start), .nanoseconds(start) + .nanoseconds($0)) }
    }
    .sorted { ($0.start, $1.end, $0.name) < ($1.start, $0.end, $1.name) }
  }

  /// A time from process start, by the wall clock.
  private func time(_ offset: Duration) -> DefaultTracerClock.Timestamp {
    DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(max(0, (summary.wallClockStart + offset).nanoseconds)))
  }
}
#endif
