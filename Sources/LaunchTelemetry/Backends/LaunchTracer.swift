// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import Tracing

/// Records into the launch trace the spans that libraries report while the launch is recorded. So a service shows what
/// its libraries do, without code of its own. Each span also goes to the real tracer, if there is one.
///
/// ```swift
/// InstrumentationSystem.bootstrap(LaunchTracer(forwardingTo: otel))
/// ```
/// An interval begins and ends at the calls of `startSpan` and `end`. A span that is reported afterwards, with an earlier
/// time, is not recorded, and neither are those of `LaunchTelemetry.report`. Once the launch is over, a span costs an object
/// more than the real tracer's, to which it forwards.
public struct LaunchTracer: Tracer {
  private let real: (any Tracer)?

  public init(forwardingTo real: (any Tracer)? = nil) { self.real = real }

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> LaunchSpan {
    // Before the instant and the real tracer, which may take a while.
    let reported = SpanInterval.now
    let (context, instant) = (context(), instant())
    let forwarded = real?.startSpan(
      operationName, context: context, ofKind: kind, at: instant, function: function, file: fileID, line: line)
    return LaunchSpan(
      operationName, context: forwarded?.context ?? context, forwarded: forwarded,
      recorded: reported.flatMap {
        SpanInterval(operationName, fileID: fileID, begin: instant.nanosecondsSinceEpoch, reported: $0)
      })
  }

  @available(*, deprecated, message: "for tracers that still have it")
  public func forceFlush() { real?.forceFlush() }

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier { real?.extract(carrier, into: &context, using: extractor) }

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier { real?.inject(context, into: &carrier, using: injector) }
}
#endif
