// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Moves slices of async lanes into the tree of a thread, where that describes them completely: they began and ended
/// on that thread, and cross no other slice there. The launch screen and extended launch tasks are stretches of time, not
/// work of a thread, so they stay on their lanes. So do all async slices of other tools, which have other events for the
/// work of a thread (D3).
struct AsyncAdoption {
  private let spans: SpanTable
  /// Slices of async lanes that may be adopted, and the thread of each.
  private let candidates: [SliceIndex: Int32]
  private let threads: Set<Int32>

  init(_ trace: Trace, spans: SpanTable) {
    self.spans = spans
    var candidates: [SliceIndex: Int32] = [:]
    let isOurs = Self.isOurs(trace)
    let stretches = Self.stretches(trace)
    trace.slices.asyncThreads.visit { row, begin, end in
      guard isOurs, begin >= 0, begin == end, spans.flags[row].contains(.async),
        !spans.flags[row].contains(.unfinished),
        spans.parent[row] < 0, !stretches.contains(trace.slices.category[row]),
        trace.tracks.indices.contains(Int(begin)), trace.tracks[Int(begin)].kind == .thread
      else { return }
      candidates[row] = begin
    }
    self.candidates = candidates
    threads = Set(candidates.values)
  }

  static func isOurs(_ trace: Trace) -> Bool { trace.strings.id(of: CategoryName.recorder) != nil }

  /// Categories of slices that are stretches of time, and not work of a thread.
  static func stretches(_ trace: Trace) -> Set<UInt32> {
    Set([CategoryName.screen, CategoryName.extendedTask].compactMap { trace.strings.id(of: $0)?.rawValue })
  }

  func apply(to spans: inout SpanTable) {
    guard !candidates.isEmpty else { return }
    adopt(into: &spans, except: crossing())
    for row in 0..<spans.count where spans.parent[row] >= 0 { spans.track[row] = spans.track[Int(spans.parent[row])] }
  }

  /// The candidates that cross a slice of their thread, or another candidate that began before them.
  private func crossing() -> Set<SliceIndex> {
    var rejected: Set<SliceIndex> = []
    var open: [Int32: OpenSlices] = [:]
    forEachEvent { row, thread, isCandidate in
      open[thread, default: OpenSlices()]
        .begin(row, start: spans.start[row], end: spans.end(row), isCandidate: isCandidate, rejected: &rejected)
    }
    return rejected
  }

  private func adopt(into spans: inout SpanTable, except rejected: Set<SliceIndex>) {
    var open: [Int32: [(row: Int, end: Int64, isCandidate: Bool)]] = [:]
    forEachEvent { row, thread, isCandidate in
      guard !rejected.contains(row) else { return }
      let start = self.spans.start[row]
      while let last = open[thread]?.last, last.end <= start { open[thread]?.removeLast() }
      let outer = open[thread]?.last
      if isCandidate {
        spans.parent[row] = Int32(outer?.row ?? -1)
        spans.track[row] = thread
        spans.flags[row].insert(.adopted)
      } else if let outer, outer.isCandidate {
        spans.parent[row] = Int32(outer.row)
      }
      open[thread, default: []].append((row, self.spans.end(row), isCandidate))
    }
  }

  /// Visits the candidates and their threads' slices in the order of the table, so a parent always comes before its
  /// children. A candidate that precedes the slice around it in the table, with the same start, counts as crossing.
  private func forEachEvent(_ body: (_ row: Int, _ thread: Int32, _ isCandidate: Bool) -> Void) {
    for row in 0..<spans.count {
      if spans.flags[row].contains(.async) {
        if let thread = candidates[row] { body(row, thread, true) }
      } else if threads.contains(spans.track[row]) {
        body(row, spans.track[row], false)
      }
    }
  }
}

/// The open slices of a thread at one point of the sweep, innermost last.
private struct OpenSlices {
  /// Ends of the thread's own slices.
  var own: [Int64] = []
  var candidates: [(row: SliceIndex, end: Int64)] = []

  mutating func begin(_ row: SliceIndex, start: Int64, end: Int64, isCandidate: Bool, rejected: inout Set<SliceIndex>) {
    while let last = own.last, last <= start { own.removeLast() }
    while let last = candidates.last, last.end <= start { candidates.removeLast() }
    if isCandidate {
      if let inner = own.last, inner < end {
        rejected.insert(row)
      } else if let inner = candidates.last, inner.end < end {
        rejected.insert(row)
      } else {
        candidates.append((row, end))
      }
    } else {
      // Those that began before this slice and end inside it.
      while let last = candidates.last, last.end < end {
        rejected.insert(last.row)
        candidates.removeLast()
      }
      own.append(end)
    }
  }
}
