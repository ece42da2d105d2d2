// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What the main thread did, as bars that follow each other.
struct StateSpans {
  struct Span {
    /// ns from the launch's start.
    var start: Int64
    var end: Int64
    var state: ThreadState
    /// What is known of a wait.
    var wait: Wait?
  }

  let spans: [Span]

  init(_ timeline: LaunchTimeline) {
    let rows = PageStates.rows(timeline)
    // If states were summed up, their waits are no longer known.
    let isWhole = rows.count == timeline.states.count
    spans = rows.indices.compactMap { place in
      let end = place + 1 < rows.count ? rows[place + 1].start : timeline.states.end
      guard rows[place].state != .unknown, rows[place].start < end else { return nil }
      let wait = isWhole ? Int(timeline.states.wait[place]) : -1
      return Span(
        start: rows[place].start - timeline.start, end: end - timeline.start, state: rows[place].state,
        wait: timeline.states.waits.indices.contains(wait) ? timeline.states.waits[wait] : nil)
    }
  }
}
