// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The threads of one launch.
struct FirefoxProcess {
  let shown: ViewerLaunch
  let isAlone: Bool
  /// The row of the profile's stacks that the trace's first one has.
  let stacks: Int64
  private var trace: Trace { shown.timeline.trace }
  private var timeline: LaunchTimeline { shown.timeline }

  func write(to json: inout JSONWriter, tables: inout FirefoxTables) {
    for (place, thread) in shown.threads.enumerated() {
      var markers = spanMarkers(thread.spans, &tables)
      markers += events(of: thread, &tables)
      if thread.isMain { markers += launchMarkers(&tables) }
      json.object { json in
        writeFacts(thread, place, to: &json)
        json.object("samples") { write(samples: thread.samples, to: &$0) }
        json.object("markers") { FirefoxMarker.write(markers, to: &$0, shown) }
      }
    }
  }

  private func writeFacts(_ thread: ViewerLaunch.Thread, _ place: Int, to json: inout JSONWriter) {
    let program = timeline.program.isEmpty ? "program" : timeline.program
    let processID = "\(timeline.processID)"
    let threadID = thread.track.map { trace.tracks[Int($0)].threadID } ?? 0
    json.values([
      "processType": "default", "processName": isAlone ? program : "\(program), \(shown.title)",
      "name": thread.title, "isMainThread": thread.isMain,
      // The same process id may come twice; every thread of the profile needs an id of its own.
      "pid": isAlone ? processID : "\(shown.launch.number).\(processID)",
      "tid": "\(shown.launch.number).\(place).\(threadID)", "processStartupTime": 0, "registerTime": 0,
    ])
    json.null("processShutdownTime")
    json.null("unregisterTime")
    json.array("pausedRanges") { _ in }
    json.value("showMarkersInTimeline", true)
  }

  // MARK: Samples

  private func write(samples rows: [Int32], to json: inout JSONWriter) {
    let samples = trace.samples
    json.column("stack", rows.lazy.map { stacks + Int64(samples.stack[Int($0)]) })
    json.array("time") { json in
      for row in rows { json.milliseconds(nil, samples.time[Int(row)] - timeline.start) }
    }
    if trace.sampleUnit == "ns" {
      json.value("weightType", "tracing-ms")
      json.array("weight") { json in
        for row in rows { json.milliseconds(nil, samples.weight[Int(row)]) }
      }
    } else {
      json.value("weightType", trace.sampleUnit == "bytes" ? "bytes" : "samples")
      json.column("weight", rows.lazy.map { samples.weight[Int($0)] })
    }
    json.value("length", rows.count)
  }

  // MARK: Markers

  private func spanMarkers(_ spans: [ViewerSpan], _ tables: inout FirefoxTables) -> [FirefoxMarker] {
    var lanes = NestedLanes()
    return spans.map { span in
      // Bars of a stack must nest.
      let isNested = lanes.place(from: span.start, to: span.end) == 0
      return marker(span, isPhase(span) ? .phase : isNested ? .interval : .async, &tables)
    }
  }

  private func isPhase(_ span: ViewerSpan) -> Bool {
    switch span.origin {
    case .phase: true
    case .slice(let row): timeline.spans.flags[row].contains(.phase)
    }
  }

  private func marker(_ span: ViewerSpan, _ schema: FirefoxSchema, _ tables: inout FirefoxTables) -> FirefoxMarker {
    FirefoxMarker(
      name: tables.string(shown.name(of: span)), start: span.start, end: span.end,
      category: schema.name == FirefoxSchema.phase.name ? .phase : .interval, data: .span(schema, span))
  }

  private func events(of thread: ViewerLaunch.Thread, _ tables: inout FirefoxTables) -> [FirefoxMarker] {
    let instants = trace.instants
    return thread.instants.map { row in
      FirefoxMarker(
        name: tables.string(trace.strings[StringID(rawValue: instants.name[row])]),
        start: instants.time[row] - timeline.start, end: nil, category: .other, data: .event(row))
    }
  }

  /// What is of the launch as a whole.
  private func launchMarkers(_ tables: inout FirefoxTables) -> [FirefoxMarker] {
    var markers = shown.async.map { marker($0, isPhase($0) ? .phase : .async, &tables) }
    for milestone in timeline.milestones {
      markers.append(
        FirefoxMarker(
          name: tables.string(milestone.id), start: milestone.time - timeline.start, end: nil, category: .milestone,
          data: .milestone(milestone)))
    }
    for finding in shown.launch.findings {
      let start = finding.start - timeline.start
      let end = finding.unit == .nanoseconds ? start + max(0, finding.actual) : nil
      markers.append(
        FirefoxMarker(
          name: tables.string(finding.id), start: start, end: end, category: .finding, data: .finding(finding)))
    }
    guard timeline.states.isKnown else { return markers }
    for span in StateSpans(timeline).spans {
      markers.append(
        FirefoxMarker(
          name: tables.string(span.state.title), start: span.start, end: span.end,
          category: span.state == .running ? .running : .waiting, data: .state(span)))
    }
    return markers
  }
}
