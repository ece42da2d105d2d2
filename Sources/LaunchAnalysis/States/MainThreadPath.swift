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
    var elsewhere = Self.spansElsewhere(trace, spans, first: first, bounds: bounds)
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

  /// The main actor's outermost spans on other threads, and those directly in async ones.
  private static func spansElsewhere(
    _ trace: Trace, _ spans: SpanTable, first: Int32, bounds: Range<Int64>
  ) -> [Segment] {
    var (whole, adopted): ([Segment], [Segment]) = ([], [])
    for row in 0..<spans.count where spans.flags[row].contains(.mainThread) && spans.track[row] != first {
      let outer = spans.parent[row] >= 0 ? spans.flags[Int(spans.parent[row])] : []
      let isAdopted = spans.flags[row].contains(.adopted)
      if outer.contains(.mainThread), isAdopted || !outer.contains(.adopted) { continue }
      guard trace.tracks[Int(spans.track[row])].kind == .thread else { continue }
      let segment = Segment(start: spans.start[row], end: spans.end(row), track: spans.track[row])
      if isAdopted { adopted.append(segment) } else { whole.append(segment) }
    }
    return whole + awake(adopted, trace, bounds)
  }

  /// Async spans without their threads' sleeps. In a sleep the span is probably suspended: the main actor has then left
  /// the thread, which waits for nothing.
  private static func awake(_ spans: [Segment], _ trace: Trace, _ bounds: Range<Int64>) -> [Segment] {
    guard !spans.isEmpty else { return [] }
    let switches = RowsByTrack(trace.switches.track, trackCount: trace.tracks.count)
    let wakeups = RowsByTrack(trace.wakeups.track, trackCount: trace.tracks.count)
    var known: [Int32: ThreadTurns] = [:]
    var awake: [Segment] = []
    for span in spans {
      let turns = known.value(of: span.track) {
        ThreadTurns(trace, rows: switches[span.track], wakeups: wakeups[span.track], bounds: bounds, isWatched: false)
      }
      var cursor = span.start
      for pause in turns.pauses(in: span.start..<span.end) where pause.kind == .sleeping {
        if cursor < pause.start { awake.append(Segment(start: cursor, end: pause.start, track: span.track)) }
        cursor = max(cursor, pause.woken ?? pause.end)
      }
      if cursor < span.end { awake.append(Segment(start: cursor, end: span.end, track: span.track)) }
    }
    return awake
  }
}
