// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import Synchronization
import Tracing

/// A span of `LaunchTracer`. It is an interval of the launch trace, and forwards to the real tracer's span.
public final class LaunchSpan: Tracing.Span {
  public let context: ServiceContext
  private let forwarded: (any Tracing.Span)?
  private let state: Mutex<State>

  private struct State: Sendable {
    var name: String
    var attributes = SpanAttributes()
    /// nil if it has ended, or is not recorded.
    var recorded: SpanInterval?
  }

  init(_ name: String, context: ServiceContext, forwarded: (any Tracing.Span)?, recorded: SpanInterval?) {
    (self.context, self.forwarded) = (context, forwarded)
    state = Mutex(State(name: name, recorded: recorded))
  }

  /// The span's name. A new name reaches the real tracer; the trace keeps the name with which the span began.
  public var operationName: String {
    get { forwarded?.operationName ?? state.withLock { $0.name } }
    set {
      forwarded?.operationName = newValue
      state.withLock { $0.name = newValue }
    }
  }

  public var attributes: SpanAttributes {
    get { forwarded?.attributes ?? state.withLock { $0.attributes } }
    set {
      if let forwarded { forwarded.attributes = newValue } else { state.withLock { $0.attributes = newValue } }
    }
  }

  public var isRecording: Bool { forwarded?.isRecording ?? state.withLock { $0.recorded != nil } }

  public func setStatus(_ status: SpanStatus) { forwarded?.setStatus(status) }
  public func addEvent(_ event: SpanEvent) { forwarded?.addEvent(event) }
  public func addLink(_ link: SpanLink) { forwarded?.addLink(link) }

  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) { forwarded?.recordError(error, attributes: attributes, at: instant()) }

  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let recorded = state.withLock { state in
      defer { state.recorded = nil }
      return state.recorded
    }
    recorded?.end()
    forwarded?.end(at: instant())
  }
}
#endif
