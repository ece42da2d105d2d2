internal import LaunchAnalysis

/// What the main thread did, and what it waited for.
struct JSONStates {
  /// The longest ones are written, in the order of time.
  private static let mostWaits = 1000

  private let timeline: LaunchTimeline

  init(_ timeline: LaunchTimeline) { self.timeline = timeline }

  func write(to json: inout JSONWriter) {
    Self.write(timeline.states.totals(from: timeline.start, to: timeline.end), to: &json)
    let waits = timeline.states.waits
    let longest = waits.indices.sorted { (waits[$1].duration, $0) < (waits[$0].duration, $1) }.prefix(Self.mostWaits)
    json.array("waits") { json in
      for row in longest.sorted() { json.object { write(waits[row], to: &$0) } }
    }
  }

  static func write(_ totals: StateTotals, to json: inout JSONWriter) {
    json.object("states") { json in
      for state in ThreadState.allCases where totals[state] > 0 { json.value(state.name, totals[state]) }
    }
  }

  private func write(_ wait: Wait, to json: inout JSONWriter) {
    json.value("start", wait.start - timeline.start)
    json.value("duration", wait.duration)
    json.value("state", wait.state.name)
    json.optional("systemCall", wait.systemCall)
    json.optional("path", wait.path)
    if let culprit = wait.culprit {
      json.value("thread", timeline.trace.title(ofTrack: culprit, isMain: false))
      json.optional("link", wait.link?.rawValue)
    }
  }
}
