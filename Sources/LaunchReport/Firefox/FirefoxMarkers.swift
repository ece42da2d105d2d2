// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

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

/// The markers of one thread.
struct FirefoxMarkers {
  let shown: ViewerLaunch
  let states: [StateSpan]
  let findings: [Finding]
  private var markers: [FirefoxMarker] = []
  var timeline: LaunchTimeline { shown.timeline }

  init(_ thread: ViewerLaunch.Thread, of shown: ViewerLaunch) {
    self.shown = shown
    findings = thread.isMain ? shown.launch.findings : []
    states = thread.isMain && shown.timeline.states.isKnown ? shown.timeline.stateSpans : []
    markers.reserveCapacity(thread.spans.count + thread.instants.count)
    var lanes = NestedLanes()
    for span in thread.spans {
      // Bars of a stack must nest.
      let isNested = lanes.place(from: shown.start(of: span), to: shown.end(of: span)) == 0
      markers.append(.span(span, isPhase(span) ? .phase : isNested ? .interval : .async))
    }
    markers += thread.instants.lazy.map { .event($0) }
    guard thread.isMain else { return }
    // What is of the launch as a whole.
    markers += shown.async.lazy.map { .span($0, isPhase($0) ? .asyncPhase : .async) }
    let milestones = timeline.milestones
    markers += milestones.indices.lazy.filter { [timeline] in timeline.window.contains(milestones[$0].time) }
      .map { .milestone(Int32($0)) }
    markers += findings.indices.lazy.map { .finding(Int32($0)) }
    markers += states.indices.lazy.map { .state(Int32($0)) }
  }

  private func isPhase(_ span: ViewerSpan) -> Bool {
    switch span.origin {
    case .phase: true
    case .slice(let row): timeline.spans.flags[row].contains(.phase)
    }
  }

  func write(to json: inout JSONWriter, tables: inout FirefoxTables) {
    json.array("data") { json in
      for marker in markers {
        json.object { write(marker, to: &$0) }
        if json.hasFailed { return }
      }
    }
    json.array("name") { json in
      for marker in markers { json.value(nil, tables.string(name(of: marker))) }
    }
    json.array("startTime") { json in
      for marker in markers { json.milliseconds(nil, start(of: marker)) }
    }
    json.array("endTime") { json in
      for marker in markers {
        if let end = end(of: marker) { json.milliseconds(nil, end) } else { json.null() }
      }
    }
    // 0 is an instant, 1 an interval.
    json.column("phase", markers.lazy.map { end(of: $0) == nil ? 0 : 1 })
    json.column("category", markers.lazy.map { category(of: $0).rawValue })
    json.value("length", markers.count)
  }
}

// MARK: Columns

extension FirefoxMarkers {
  private func name(of marker: FirefoxMarker) -> String {
    switch marker {
    case .span(let span, _): shown.name(of: span)
    case .event(let row): timeline.trace.strings[StringID(rawValue: timeline.trace.instants.name[Int(row)])]
    case .milestone(let place): timeline.milestones[Int(place)].id
    case .finding(let place): findings[Int(place)].id
    case .state(let place): states[Int(place)].state.title
    }
  }

  /// ns from the launch's start.
  private func start(of marker: FirefoxMarker) -> Int64 {
    switch marker {
    case .span(let span, _): shown.start(of: span)
    case .event(let row): timeline.trace.instants.time[Int(row)] - timeline.start
    case .milestone(let place): timeline.milestones[Int(place)].time - timeline.start
    case .finding(let place): findings[Int(place)].start - timeline.start
    case .state(let place): states[Int(place)].start
    }
  }

  /// nil for an instant.
  private func end(of marker: FirefoxMarker) -> Int64? {
    switch marker {
    case .span(let span, _): return shown.end(of: span)
    case .event, .milestone: return nil
    case .finding(let place):
      let finding = findings[Int(place)]
      guard finding.unit == .nanoseconds else { return nil }
      let end = min(start(of: marker) + max(0, finding.actual), timeline.window.upperBound - timeline.start)
      return max(start(of: marker), end)
    case .state(let place): return states[Int(place)].end
    }
  }

  private func category(of marker: FirefoxMarker) -> FirefoxCategory {
    switch marker {
    case .span(_, let kind): kind == .phase || kind == .asyncPhase ? .phase : .interval
    case .event: .other
    case .milestone: .milestone
    case .finding: .finding
    case .state(let place): states[Int(place)].state == .running ? .running : .waiting
    }
  }
}
