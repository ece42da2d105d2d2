// SPDX-License-Identifier: Apache-2.0

#if Telemetry
import CoreMetrics
import Foundation
import InMemoryLogging
import InMemoryTracing
import LaunchTelemetry
import Logging
import MetricsTestKit
import Testing
import Tracing

@Suite struct ReportedLaunchTests {
  @Test func aPhaseThatWasOpenAtTheEndIsReported() throws {
    let (metrics, handler) = (TestMetrics(), InMemoryLogHandler())
    let logger = Logger(label: "test", factory: { _ in handler })
    try LaunchTelemetry.report(SampleSummary.make(), logger: logger, tracer: InMemoryTracer(), metrics: metrics)
    let times = Dictionary(
      metrics.timers(label: "app.vitals.start.phase").map { timer in
        (timer.dimensions.first { $0.0 == "phase" }?.1 ?? "", timer.lastValue ?? 0)
      }, uniquingKeysWith: +)
    #expect(
      times == [
        "load": 20_000_000, "static-init": 10_000_000, "main": 5_000_000, "did-finish-launching": 65_000_000,
        "twice": 3_000_000,
      ])
    let line = try #require(handler.entries.first)
    #expect(line.metadata["phase.did-finish-launching_ms"] == "65.00")
    #expect(line.metadata["phase.main_ms"] == "5.00")
  }

  @Test func aPhaseThatRanOnceIsASpan() throws {
    let (summary, tracer) = (try SampleSummary.make(), InMemoryTracer())
    LaunchTelemetry.report(summary, tracer: tracer, metrics: TestMetrics())
    let spans = tracer.finishedSpans
    let names = Set(spans.map(\.operationName))
    #expect(
      names == [
        "app.start", "app.start.load", "app.start.static-init", "app.start.main", "app.start.did-finish-launching",
      ])
    let (launch, phase) = (
      try #require(spans.first { $0.operationName == "app.start" }),
      try #require(spans.first { $0.operationName == "app.start.did-finish-launching" })
    )
    #expect(phase.parentSpanID == launch.spanID)
    #expect(phase.startInstant.nanosecondsSinceEpoch == 1_750_000_000_035_000_000)
    #expect(phase.endInstant.nanosecondsSinceEpoch == launch.endInstant.nanosecondsSinceEpoch, "cut at its end")
  }

  /// `launchprof ship` makes a span of each phase of the record that has a start.
  @Test func theRecordHasTheSamePhases() throws {
    for summary in [try SampleSummary.make(), try #require(OwnLaunch.summary)] {
      let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
      LaunchTelemetry.report(summary, tracer: tracer, metrics: metrics)
      let json = try JSONSerialization.jsonObject(with: Data(summary.record().utf8))
      let keys = Set(try #require(json as? [String: Any]).keys)
      let phases = Set(keys.filter { $0.hasPrefix("phase.") }.map { String($0.dropFirst("phase.".count)) })
      let once = phases.filter { keys.contains("at.\($0)") }
      #expect(Set(tracer.finishedSpans.map(\.operationName)) == Set(once.map { "app.start.\($0)" } + ["app.start"]))
      let timers = metrics.timers(label: "app.vitals.start.phase")
      #expect(Set(timers.compactMap { $0.dimensions.first { $0.0 == "phase" }?.1 }) == phases)
    }
  }

  /// Who receives a summary decodes it. Sums of such times trapped.
  @Test(arguments: [Int64.min, .max]) func aDecodedSummaryMayHaveAnyTimes(time: Int64) throws {
    let interval = """
      {
        "kind": "interval", "name": "query", "category": "app/Store",
        "startNanoseconds": 0, "durationNanoseconds": \(time), "budgetNanoseconds": 1
      }
      """
    let summary = try SampleSummary.make([
      "\"totalNanoseconds\": 100000000": "\"totalNanoseconds\": \(time)",
      "\"wallClockStartNanoseconds\": 1750000000000000000": "\"wallClockStartNanoseconds\": \(time)",
      "\"overBudget\": [": "\"overBudget\": [\(interval), \(interval),",
    ])
    let record = try JSONSerialization.jsonObject(with: Data(summary.record().utf8)) as? [String: Any]
    #expect(record?["over.query"] as? Int64 == time)
    #expect(record?["total"] as? Int64 == time)
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test", factory: { _ in handler })
    LaunchTelemetry.report(summary, logger: logger, tracer: InMemoryTracer(), metrics: TestMetrics())
    #expect(handler.entries.count == 1)
  }

  /// The text of a time before the start had a sign for each of its parts.
  @Test(arguments: [
    (-15_000, "-0.02"), (-1_234_567, "-1.23"), (Int64.min, "-9223372036854.78"), (0, "0.00"),
  ])
  func negativeTimesAreNumbers(time: Int64, text: String) throws {
    let summary = try SampleSummary.make(["\"totalNanoseconds\": 100000000": "\"totalNanoseconds\": \(time)"])
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test", factory: { _ in handler })
    LaunchTelemetry.report(summary, logger: logger, tracer: InMemoryTracer(), metrics: TestMetrics())
    let line = try #require(handler.entries.first)
    #expect("\(line.message)".contains(": \(text) ms"), "\(line.message)")
  }

  @Test func theNameOfASpanOfALibraryIsNotReported() throws {
    let (metrics, tracer, handler) = (TestMetrics(), InMemoryTracer(), InMemoryLogHandler())
    let logger = Logger(label: "test", factory: { _ in handler })
    try LaunchTelemetry.report(SampleSummary.make(), logger: logger, tracer: tracer, metrics: metrics)
    let line = try #require(handler.entries.first)
    #expect(line.level == .notice)
    #expect(line.metadata["over_budget"] == nil)
    #expect(!"\(line.message) \(line.metadata)".contains("alice"))
    #expect(metrics.counters.allSatisfy { $0.label != "app.vitals.start.over_budget" })
    let launch = try #require(tracer.finishedSpans.first { $0.operationName == "app.start" })
    #expect(launch.attributes["app.vitals.start.over.GET /users/alice"] == nil)
  }
}
#endif
