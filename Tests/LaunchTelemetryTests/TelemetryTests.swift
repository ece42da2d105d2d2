// SPDX-License-Identifier: Apache-2.0

#if Telemetry
import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import LaunchProfiler
import LaunchTelemetry
import LaunchTrace
import Logging
import MetricsTestKit
import Testing
import Tracing

/// The launch of the test process itself, recorded from inside. A process launches only once.
enum OwnLaunch {
  static let tracer = InMemoryTracer()
  static let metrics = TestMetrics()

  static let summary: LaunchSummary? = {
    // What is not recorded takes none of the trace's 256 counters.
    let factory = LaunchMetricsFactory()
    for number in 0..<300 { factory.makeCounter(label: "early \(number)", dimensions: []).increment(by: 1) }
    do {
      try LaunchProfiler.start(
        into: .memory, budgets: LaunchBudgets(intervals: ["slow": .nanoseconds(1)]), stopsWhenCompleted: false)
      LaunchProfiler.metadata(version: "2.1", reason: "userLaunch", kind: "warm")
      LaunchProfiler.phase(.didFinishLaunching) {
        LaunchSignposter(subsystem: "test", category: "launch").withIntervalSignpost("slow") { burn(.milliseconds(2)) }
        LaunchProfiler.phase(LaunchPhase("load-index")) { burn(.milliseconds(1)) }
        library()
      }
      LaunchProfiler.mark(.ready)
      let summary = LaunchProfiler.summary
      // While the trace is still recorded, as in the callback of a launch that has just ended.
      if let summary { LaunchTelemetry.report(summary, tracer: LaunchTracer(), metrics: LaunchMetricsFactory()) }
      return summary
    } catch {
      Issue.record("cannot start: \(error)")
      return nil
    }
  }()

  /// The recorder keeps 128 bytes of a name.
  static let cutName = String(repeating: "n", count: 127)

  /// Work of a library that does not use this package.
  static func library() {
    let tracer = LaunchTracer(forwardingTo: tracer)
    let metrics = MultiplexMetricsHandler(factories: [LaunchMetricsFactory(), metrics])
    tracer.withSpan("connect", ofKind: .client) { span in
      span.attributes["db"] = "sqlite"
      tracer.withSpan("query") { _ in burn(.milliseconds(1)) }
      #expect(throws: CancellationError.self) { try tracer.withSpan("fail") { _ in throw CancellationError() } }
    }
    let early = DefaultTracerClock.Timestamp(
      nanosecondsSinceEpoch: DefaultTracerClock.now.nanosecondsSinceEpoch - 40_000_000)
    tracer.startSpan("reported afterwards", at: early).end()
    tracer.startSpan(cutName + "ü").end()
    for number in 0..<600 { tracer.startSpan("GET /users/\(number)").end() }
    // Each place in a library that counts makes its own counter.
    metrics.makeCounter(label: "requests", dimensions: [("code", "200")]).increment(by: 2)
    metrics.makeCounter(label: "requests", dimensions: [("code", "200")]).increment(by: 3)
    metrics.makeTimer(label: "query", dimensions: []).recordNanoseconds(42)
  }

  static func burn(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }

  static func trace() throws -> Trace {
    let bytes = try #require(LaunchProfiler.copyTrace())
    return try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }
}

extension Duration {
  fileprivate var nanosecondCount: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

@Suite(.serialized) struct TelemetryTests {
  let summary: LaunchSummary

  init() throws { summary = try #require(OwnLaunch.summary) }

  @Test func aLaunchIsASpanWithItsPhases() throws {
    let tracer = InMemoryTracer()
    LaunchTelemetry.report(summary, tracer: tracer, metrics: TestMetrics())
    let spans = tracer.finishedSpans
    let launch = try #require(spans.first { $0.operationName == "app.start" })
    let start = UInt64(summary.wallClockStart.nanosecondCount)
    #expect(launch.parentSpanID == nil)
    #expect(launch.startInstant.nanosecondsSinceEpoch == start)
    #expect(launch.endInstant.nanosecondsSinceEpoch == start + UInt64(summary.total.nanosecondCount))
    #expect(launch.attributes["app.vitals.start.id"]?.toSpanAttribute() == .string(summary.id))
    #expect(launch.events.map(\.name).contains("ready"))
    let outer = try #require(spans.first { $0.operationName == "app.start.did-finish-launching" })
    let inner = try #require(spans.first { $0.operationName == "app.start.load-index" })
    #expect(inner.parentSpanID == outer.spanID)
    let phase = try #require(summary.phases.first { $0.id == "load-index" })
    #expect(inner.startInstant.nanosecondsSinceEpoch == start + UInt64(phase.start.nanosecondCount))
    #expect(
      inner.endInstant.nanosecondsSinceEpoch - inner.startInstant.nanosecondsSinceEpoch
        == UInt64(phase.duration.nanosecondCount))
  }

  @Test func aLaunchIsTimersAndCounters() throws {
    let metrics = TestMetrics()
    LaunchTelemetry.report(summary, dimensions: [("region", "eu")], tracer: InMemoryTracer(), metrics: metrics)
    let labels = [
      ("outcome", "completed"), ("end", "ready"), ("version", "2.1"), ("type", "warm"), ("reason", "userLaunch"),
      ("region", "eu"),
    ]
    #expect(try metrics.expectCounter("app.vitals.start.launches", labels).totalValue == 1)
    let total = try metrics.expectTimer("app.vitals.start.value", labels)
    #expect(total.lastValue == Int64(summary.total.nanosecondCount))
    let phases = metrics.timers(label: "app.vitals.start.phase").count
    #expect(phases > Set(summary.phases.map(\.id)).count, "also the time in main before the first phase")
    #expect(try metrics.expectCounter("app.vitals.start.over_budget", labels + [("name", "slow")]).totalValue == 1)
  }

  @Test func aLaunchIsOneLine() throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test", factory: { _ in handler })
    LaunchTelemetry.report(summary, logger: logger, tracer: InMemoryTracer(), metrics: TestMetrics())
    let entries = handler.entries
    try #require(entries.count == 1)
    #expect(entries[0].level == .warning, "an interval was over its budget")
    #expect("\(entries[0].message)".hasPrefix("launch completed: "))
    #expect(entries[0].metadata["version"] == "2.1")
    #expect("\(entries[0].metadata["over_budget"] ?? "")".contains("slow"))
    #expect(entries[0].metadata["phase.load-index_ms"] != nil)
  }

  @Test func theTraceHasWhatLibrariesReport() throws {
    let trace = try OwnLaunch.trace()
    func slices(_ name: String) -> [SliceIndex] {
      guard let id = trace.strings.id(of: name) else { return [] }
      return trace.slices.name.indices.filter { trace.slices.name[$0] == id.rawValue }
    }
    for name in ["reported afterwards", "app.start", "app.start.load-index"] {
      #expect(slices(name).isEmpty, "\(name)")
    }
    let (connect, query) = (try #require(slices("connect").first), try #require(slices("query").first))
    #expect(trace.slices.start[connect] <= trace.slices.start[query])
    #expect(trace.slices.duration[query] >= 1_000_000)
    #expect(trace.slices.duration[connect] >= trace.slices.duration[query])
    let category = trace.strings[StringID(rawValue: trace.slices.category[connect])]
    #expect(category == "tracing/LaunchTelemetryTests")
    #expect(slices("fail").count == 1)
    #expect(!slices("GET /users/0").isEmpty)
    #expect(slices("(more spans)").count > 50, "names are bounded")
    let names = Set(trace.tracks.map { trace.strings[$0.name] })
    #expect(names.contains("requests{code=200}") && names.contains("query"))
    #expect(!names.contains { $0.hasPrefix("app.vitals.start.") })
    let requests = trace.tracks.indices.first { trace.strings[trace.tracks[$0].name] == "requests{code=200}" }
    let values = trace.counters.value.indices.filter { trace.counters.track[$0] == requests.map(Int32.init) }
    #expect(values.map { trace.counters.value[$0] } == [2, 5])
    #expect(!slices(OwnLaunch.cutName).isEmpty, "a long name ends with a whole character")
  }

  @Test func theRealBackendHasItToo() throws {
    let spans = OwnLaunch.tracer.finishedSpans
    let (connect, query) = (
      try #require(spans.first { $0.operationName == "connect" }),
      try #require(spans.first { $0.operationName == "query" })
    )
    #expect(query.parentSpanID == connect.spanID)
    #expect(connect.kind == .client)
    #expect(connect.attributes["db"]?.toSpanAttribute() == .string("sqlite"))
    #expect(spans.first { $0.operationName == "fail" }?.errors.count == 1)
    #expect(try OwnLaunch.metrics.expectCounter("requests", [("code", "200")]).totalValue == 5)
  }
}
#endif
