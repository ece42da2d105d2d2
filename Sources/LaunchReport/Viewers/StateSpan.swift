// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What the main thread did, as a bar.
struct StateSpan {
  /// ns from the launch's start.
  var start: Int64
  var end: Int64
  var state: ThreadState
  /// What is known of a wait.
  var wait: Wait?
}

extension LaunchTimeline {
  /// The states of the main thread, as bars that follow each other.
  var stateSpans: [StateSpan] {
    let rows = PageStates.rows(self)
    // If states were summed up, their waits are no longer known.
    let isWhole = rows.count == states.count
    return rows.indices.compactMap { place in
      let end = place + 1 < rows.count ? rows[place + 1].start : states.end
      guard rows[place].state != .unknown, rows[place].start < end else { return nil }
      let wait = isWhole ? Int(states.wait[place]) : -1
      return StateSpan(
        start: rows[place].start - start, end: end - start, state: rows[place].state,
        wait: states.waits.indices.contains(wait) ? states.waits[wait] : nil)
    }
  }
}
