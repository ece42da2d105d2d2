// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The profiles of one launch.
struct SpeedscopeLaunch {
  let shown: ViewerLaunch
  /// What the profiles' names begin with, to distinguish launches.
  let prefix: String
  private var timeline: LaunchTimeline { shown.timeline }
  private var trace: Trace { timeline.trace }

  /// - Returns: which of its profiles says the most, from 0.
  func write(to json: inout JSONWriter, frames: inout SpeedscopeFrames) -> Int {
    var best = 0
    // By place in the frames of the stacks: the row, -1 for one that was not asked for yet.
    var known = [Int32](repeating: -1, count: trace.stacks.frames.count)
    for thread in shown.threads {
      let isAlone = thread.isMain && shown.threads.allSatisfy { $0.spans.isEmpty && $0.samples.isEmpty }
      let lanes = writeSpans(thread.spans, title: thread.title, evenIfEmpty: isAlone, to: &json, frames: &frames)
      if thread.isMain, !thread.samples.isEmpty, !thread.spans.contains(where: isInterval) { best = lanes }
      writeSamples(thread, known: &known, to: &json, frames: &frames)
      if thread.isMain { writeStates(to: &json, frames: &frames) }
    }
    writeSpans(shown.async, title: "async", evenIfEmpty: false, to: &json, frames: &frames)
    return best
  }

  // MARK: Spans

  /// Whether the program recorded it. Phases, and what the launcher saw of the loader, do not say what its code did.
  private func isInterval(_ span: ViewerSpan) -> Bool {
    guard case .slice(let row) = span.origin,
      timeline.spans.flags[row].isDisjoint(with: [.phase, .initializer])
    else { return false }
    return !CategoryName.fromOutside.contains(trace.strings[StringID(rawValue: trace.slices.category[row])])
  }

  /// A profile for each lane on which the spans nest.
  ///
  /// - Returns: how many there are.
  @discardableResult private func writeSpans(
    _ spans: [ViewerSpan], title: String, evenIfEmpty: Bool, to json: inout JSONWriter,
    frames: inout SpeedscopeFrames
  ) -> Int {
    var lanes = NestedLanes()
    // 255 for a span that no lane has room for.
    let places = spans.map { UInt8(lanes.place(from: shown.start(of: $0), to: shown.end(of: $0)) ?? 255) }
    let leftOut = places.count { $0 == 255 }
    let count = max(lanes.count, evenIfEmpty ? 1 : 0)
    for lane in 0..<count {
      var name = lane == 0 ? title : "\(title) (\(lane + 1))"
      if leftOut > 0, lane == lanes.count - 1 { name += ", \(leftOut) that overlap these are left out" }
      writeEvents(name, to: &json) { events, json in
        for (place, span) in spans.enumerated() where places[place] == UInt8(lane) {
          let frame = frames.row(name: shown.name(of: span))
          events.add(from: shown.start(of: span), to: shown.end(of: span), frame: frame, &json)
        }
      }
    }
    return count
  }

  private func writeStates(to json: inout JSONWriter, frames: inout SpeedscopeFrames) {
    guard timeline.states.isKnown else { return }
    writeEvents("states of the main thread", to: &json) { events, json in
      for span in timeline.stateSpans {
        events.add(from: span.start, to: span.end, frame: frames.row(name: span.state.title), &json)
      }
    }
  }

  /// An `evented` profile.
  private func writeEvents(
    _ name: String, to json: inout JSONWriter, _ add: (inout EventList, inout JSONWriter) -> Void
  ) {
    json.object { json in
      json.values(["type": "evented", "name": prefix + name, "unit": "nanoseconds", "startValue": 0])
      var events = EventList()
      json.array("events") { json in
        add(&events, &json)
        events.close(until: .max, &json)
      }
      json.value("endValue", events.last)
    }
  }

  // MARK: Samples

  /// Deeper stacks keep their innermost frames: whole ones of a program that recurses without end would fill the disk.
  private static let deepest = 512
  /// What the number of a frame takes, about.
  private static let frameBytes = 4

  private func writeSamples(
    _ thread: ViewerLaunch.Thread, known: inout [Int32], to json: inout JSONWriter,
    frames: inout SpeedscopeFrames
  ) {
    if thread.samples.isEmpty { return }
    let deepest = deepest(thread.samples)
    json.object { json in
      json.values([
        "type": "sampled", "name": prefix + "samples of \(thread.title)", "unit": unit, "startValue": 0,
        "endValue": thread.samples.reduce(0) { $0 + trace.samples.weight[Int($1)] },
      ])
      json.array("samples") { json in
        for row in thread.samples {
          let stack = stack(trace.samples.stack[Int(row)], deepest: deepest, known: &known, frames: &frames)
          json.column(nil, stack.reversed())
          if json.hasFailed { return }
        }
      }
      json.column("weights", thread.samples.lazy.map { trace.samples.weight[Int($0)] })
    }
  }

  /// The most frames of a stack. A deep stack may come with a million samples.
  func deepest(_ rows: [Int32]) -> Int {
    var depths: [UInt16] = []
    depths.reserveCapacity(trace.stacks.count)
    for caller in trace.stacks.caller {
      depths.append(caller < 0 ? 1 : min(depths[Int(caller)] + 1, UInt16(Self.deepest)))
    }
    let whole = rows.reduce(0) { $0 + Int(depths[Int(trace.samples.stack[Int($1)])]) } * Self.frameBytes
    return max(2, min(Self.deepest, PathBytes.limit(whole: whole, paths: rows.count) / Self.frameBytes))
  }

  private var unit: String {
    switch trace.sampleUnit {
    case "ns": "nanoseconds"
    case "bytes": "bytes"
    default: "none"
    }
  }

  /// Rows of the frames, innermost first.
  private func stack(_ row: Int32, deepest: Int, known: inout [Int32], frames: inout SpeedscopeFrames) -> [Int32] {
    var stack: [Int32] = []
    var row = Int(row)
    while row >= 0 {
      if stack.count == deepest - 1, trace.stacks.caller[row] >= 0 {
        stack.append(frames.row(name: "..."))
        break
      }
      let place = Int(trace.stacks.frame[row])
      if known[place] < 0 {
        let frame = trace.stacks[row]
        let file = trace.strings[StringID(rawValue: frame.file != StringID.empty.rawValue ? frame.file : frame.image)]
        known[place] = frames.row(name: trace.name(ofFrame: row), file: file, line: frame.line)
      }
      stack.append(known[place])
      row = Int(trace.stacks.caller[row])
    }
    return stack
  }
}

/// The events of a profile while they are written: every frame that opens is closed, in the order of time.
private struct EventList {
  /// Ends and frames of what is open, outermost first. A trace may nest to any depth.
  private var ends: [Int64] = []
  private var frames: [Int32] = []
  private(set) var last: Int64 = 0

  mutating func add(from start: Int64, to end: Int64, frame: Int32, _ json: inout JSONWriter) {
    close(until: start, &json)
    event("O", at: start, frame, &json)
    ends.append(end)
    frames.append(frame)
  }

  mutating func close(until time: Int64, _ json: inout JSONWriter) {
    while let end = ends.last, end <= time {
      ends.removeLast()
      event("C", at: end, frames.removeLast(), &json)
    }
  }

  private mutating func event(_ type: String, at time: Int64, _ frame: Int32, _ json: inout JSONWriter) {
    last = max(last, time)
    json.object { json in
      json.value("type", type)
      json.value("at", time)
      json.value("frame", frame)
    }
  }
}
