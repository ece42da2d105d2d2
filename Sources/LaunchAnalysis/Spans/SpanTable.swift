// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

/// What the analysis knows about a slice.
package struct SpanFlags: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Work of the main thread, or of the main actor on another thread.
  package static let mainThread = SpanFlags(rawValue: 1)
  /// Longer than its budget allows.
  package static let overBudget = SpanFlags(rawValue: 2)
  /// Has no end in the trace. Its duration lasts up to the last known time.
  package static let unfinished = SpanFlags(rawValue: 4)
  /// Recorded on an async lane.
  package static let async = SpanFlags(rawValue: 8)
  /// Recorded on an async lane, and moved into the tree of the thread on which it began and ended.
  package static let adopted = SpanFlags(rawValue: 16)
  package static let phase = SpanFlags(rawValue: 32)
  package static let initializer = SpanFlags(rawValue: 64)
  /// Work of another thread, longer than its budget, that the launch waited for while the main thread was idle.
  package static let awaited = SpanFlags(rawValue: 128)
}

/// The slices of a trace, interpreted. Its columns match those of `Trace.slices`, row by row.
///
/// Columns that equal those of the trace share its storage.
package struct SpanTable: Sendable {
  /// Nanoseconds on the trace's clock.
  package internal(set) var start: [Int64]
  /// Nanoseconds, never negative. Unfinished slices end with their parent or at the last known time.
  package internal(set) var duration: [Int64]
  /// The enclosing slice, -1 for none. For an adopted slice and its contents, it differs from the trace's.
  package internal(set) var parent: [Int32]
  /// The track whose tree contains the slice.
  package internal(set) var track: [Int32]
  package internal(set) var flags: [SpanFlags]
  /// Where slices end in sums; nil if each ends within the one around it.
  private var nestedEnds: [Int64]?
  /// Whether the trace was full before the launch reached its end.
  var hasLostEnds = false
  /// Where the launch starts and ends, and where its extended phase ends, ns.
  var (launchStart, launchEnd, extendedEnd) = (Int64.min, Int64.max, Int64.max)

  package var count: Int { start.count }
  package func end(_ row: SliceIndex) -> Int64 { start[row] + duration[row] }
  /// Where the slice ends in sums: at the latest where those around it end (D413).
  func nestedEnd(_ row: SliceIndex) -> Int64 { nestedEnds?[row] ?? end(row) }
  /// Whether the slice may have ended long before: the trace was full, and its end is not in it.
  package func isEndLost(_ row: SliceIndex) -> Bool { hasLostEnds && flags[row].contains(.unfinished) }
  /// Whether the slice is on an async lane and has no end: `endInterval` may be missing.
  func isOpenAsync(_ row: SliceIndex) -> Bool { flags[row].isSuperset(of: [.async, .unfinished]) }
  func isEndLost(_ phase: Phase) -> Bool { phase.slice.map(isEndLost) ?? false }
  func range(_ row: SliceIndex) -> Range<Int64> { start[row]..<end(row) }

  /// The innermost work of the launch that has no end. The launch goes through phases that may suspend, whatever thread they
  /// run on. An open async interval may be one that the program forgot.
  var lastOpen: SliceIndex? {
    flags.lastIndex { $0.contains(.unfinished) && $0.contains($0.contains(.async) ? .phase : .mainThread) }
  }

  /// For each slice, the innermost of those around it that are wanted; -1 for none.
  func innermost(where isWanted: (SliceIndex) -> Bool) -> [Int32] {
    var around = parent
    // A slice comes after those around it.
    for row in 0..<count {
      let outer = Int(parent[row])
      if outer >= 0, !isWanted(outer) { around[row] = around[outer] }
    }
    return around
  }

  /// The innermost slice that contained each of some instants on its thread; -1 for none.
  ///
  /// - Parameters:
  ///   - tracks: the thread of each instant; -1 for none.
  ///   - times: the instants in the order of time, ns.
  func innermost(on tracks: [Int32], at times: [Int64], trackCount: Int) -> [Int32] {
    var result = [Int32](repeating: -1, count: times.count)
    var open = [Int32](repeating: -1, count: trackCount)
    var next = 0
    for (row, time) in times.enumerated() where tracks[row] >= 0 {
      while next < count, start[next] <= time {
        open[Int(track[next])] = Int32(truncatingIfNeeded: next)
        next += 1
      }
      let place = Int(tracks[row])
      while open[place] >= 0, isOver(Int(open[place]), at: time) { open[place] = parent[Int(open[place])] }
      result[row] = open[place]
    }
    return result
  }

  /// A span that never ended also contains the last instant of the trace.
  private func isOver(_ row: Int, at time: Int64) -> Bool { end(row) <= time && !flags[row].contains(.unfinished) }

  /// By slice: the time that no slice inside it covers, ns. Never negative. Slices end where they end in sums.
  package func selfTimes() -> [Int64] {
    var result = (0..<count).map { max(0, nestedEnd($0) - start[$0]) }
    for row in 0..<count {
      let outer = Int(parent[row])
      guard outer >= 0 else { continue }
      result[outer] -= max(0, nestedEnd(row) - max(start[row], start[outer]))
    }
    for row in 0..<count where result[row] < 0 { result[row] = 0 }
    return result
  }
}

extension SpanTable {
  /// Interprets the slices of `trace`.
  ///
  /// - Parameters:
  ///   - lastKnown: where slices end that have no end in the file, ns.
  ///   - mainThread: the main thread's row in `trace.tracks`, -1 for none.
  init(_ trace: Trace, lastKnown: Int64, mainThread: Int32) {
    let slices = trace.slices
    start = slices.start
    duration = slices.duration
    parent = slices.parent
    track = slices.track
    flags = []
    flags = [SpanFlags](repeating: [], count: count)
    closeUnfinished(lastKnown: lastKnown)
    markKinds(trace)
    AsyncAdoption(trace, spans: self).apply(to: &self)
    nest()
    markMainThread(trace, mainThread: mainThread)
    markOpen(trace, mainThread: mainThread)
  }

  private mutating func closeUnfinished(lastKnown: Int64) {
    guard let first = duration.firstIndex(where: { $0 < 0 }) else { return }
    for row in first..<count where duration[row] < 0 {
      flags[row].insert(.unfinished)
      // The parent precedes its children, so its end is known.
      let end = parent[row] >= 0 ? self.end(Int(parent[row])) : lastKnown
      duration[row] = max(0, end - start[row])
    }
  }

  /// A complete event of Chrome's format may begin within a slice and end after it.
  private mutating func nest() {
    guard (0..<count).contains(where: { parent[$0] >= 0 && end($0) > end(Int(parent[$0])) }) else { return }
    var ends = (0..<count).map(end)
    for row in 0..<count where parent[row] >= 0 { ends[row] = min(ends[row], ends[Int(parent[row])]) }
    nestedEnds = ends
  }

  private mutating func markKinds(_ trace: Trace) {
    let category = trace.slices.category
    let phase = trace.strings.id(of: CategoryName.phase)?.rawValue ?? .max
    let initializer = trace.strings.id(of: CategoryName.initializer)?.rawValue ?? .max
    let isAsync = trace.tracks.map { $0.kind == .async }
    for row in 0..<count {
      if category[row] == phase { flags[row].insert(.phase) }
      if category[row] == initializer { flags[row].insert(.initializer) }
      if isAsync[Int(track[row])] { flags[row].insert(.async) }
    }
  }

  private mutating func markMainThread(_ trace: Trace, mainThread: Int32) {
    let annotation = trace.slices.annotation
    let hasMainActor = trace.strings.id(of: LS_KEY_MAIN_ACTOR) != nil
    // Another launch in the file has a main actor, too.
    let process = trace.processID(ofTrack: mainThread) ?? 0
    for row in 0..<count {
      let outer = Int(parent[row])
      if track[row] == mainThread || (outer >= 0 && flags[outer].contains(.mainThread)) {
        flags[row].insert(.mainThread)
      } else if hasMainActor, annotation[row] != 0, trace.isTrack(track[row], of: process),
        AnnotationRow(trace, row: annotation[row]).bool(LS_KEY_MAIN_ACTOR) == true
      {
        flags[row].insert(.mainThread)
      }
    }
  }

  /// An async interval that the main thread began and that never ended is work of the main thread, as in the program's own
  /// summary (D400). It stays on its lane: in the thread's tree, it would be around all that came later.
  private mutating func markOpen(_ trace: Trace, mainThread: Int32) {
    guard mainThread >= 0, AsyncAdoption.isOurs(trace) else { return }
    let stretches = AsyncAdoption.stretches(trace)
    trace.slices.asyncThreads.visit { row, begin, _ in
      if begin == mainThread, isOpenAsync(row), !flags[row].contains(.phase),
        !stretches.contains(trace.slices.category[row])
      {
        flags[row].insert(.mainThread)
      }
    }
  }
}
