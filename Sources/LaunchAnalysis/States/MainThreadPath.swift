// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Which thread is the main thread at each instant: the first thread, or another one while it runs the main actor.
///
/// An `async` main leaves the first thread at its first suspension. That thread then waits for nothing.
struct MainThreadPath: Sendable {
  struct Segment: Sendable, Equatable {
    var start: Int64
    var end: Int64
    var track: Int32
  }

  /// Covers the bounds without a gap.
  private(set) var segments: [Segment] = []

  init(_ trace: Trace, spans: SpanTable, first: Int32, bounds: Range<Int64>) {
    var elsewhere: [Segment] = []
    for row in 0..<spans.count where spans.flags[row].contains(.mainThread) && spans.track[row] != first {
      let outer = Int(spans.parent[row])
      if outer >= 0, spans.flags[outer].contains(.mainThread) { continue }
      guard trace.tracks[Int(spans.track[row])].kind == .thread else { continue }
      elsewhere.append(Segment(start: spans.start[row], end: spans.end(row), track: spans.track[row]))
    }
    elsewhere += MainQueue(trace, first: first).drains
    elsewhere.sort { ($0.start, $0.end, $0.track) < ($1.start, $1.end, $1.track) }
    var cursor = bounds.lowerBound
    for segment in elsewhere {
      let (start, end) = (max(segment.start, cursor), min(segment.end, bounds.upperBound))
      guard start < end else { continue }
      if cursor < start { segments.append(Segment(start: cursor, end: start, track: first)) }
      segments.append(Segment(start: start, end: end, track: segment.track))
      cursor = end
    }
    if cursor < bounds.upperBound { segments.append(Segment(start: cursor, end: bounds.upperBound, track: first)) }
  }
}
