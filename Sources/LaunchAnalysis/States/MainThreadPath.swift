internal import LaunchTrace

/// Which thread is the main thread at each instant: the first one, and while the main actor runs on another, that one.
///
/// With an `async` main the main actor leaves the first thread at the first suspension, which then waits for nothing.
struct MainThreadPath {
  struct Segment: Equatable {
    var start: Int64
    var end: Int64
    var track: Int32
  }

  /// With no gap, over the bounds.
  private(set) var segments: [Segment] = []

  init(_ spans: SpanTable, first: Int32, isThread: (Int32) -> Bool, bounds: Range<Int64>) {
    var cursor = bounds.lowerBound
    for row in 0..<spans.count where spans.flags[row].contains(.mainThread) && spans.track[row] != first {
      let outer = Int(spans.parent[row])
      if outer >= 0, spans.flags[outer].contains(.mainThread) { continue }
      guard isThread(spans.track[row]) else { continue }
      let start = max(spans.start[row], cursor)
      let end = min(spans.end(row), bounds.upperBound)
      guard start < end else { continue }
      if cursor < start { segments.append(Segment(start: cursor, end: start, track: first)) }
      segments.append(Segment(start: start, end: end, track: spans.track[row]))
      cursor = end
    }
    if cursor < bounds.upperBound { segments.append(Segment(start: cursor, end: bounds.upperBound, track: first)) }
  }
}
