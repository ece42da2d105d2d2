// SPDX-License-Identifier: Apache-2.0

/// A row of a thread's markers, as the place of what it says: a trace may have a million of them.
enum FirefoxMarker {
  enum SpanKind: UInt8 {
    case phase, interval, async
    /// A phase of no thread.
    case asyncPhase

    /// Whether it may overlap others.
    var isAsync: Bool { self == .async || self == .asyncPhase }

    var schema: FirefoxSchema {
      switch self {
      case .phase, .asyncPhase: .phase
      case .interval: .interval
      case .async: .async
      }
    }
  }

  case span(ViewerSpan, SpanKind)
  /// A row of `Trace.instants`.
  case event(Int32)
  case milestone(Int32)
  case finding(Int32)
  /// A place in `FirefoxMarkers.states`.
  case state(Int32)
}
