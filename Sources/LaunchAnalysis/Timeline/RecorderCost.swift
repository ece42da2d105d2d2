// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What recording cost in this launch.
package struct RecorderCost: Sendable, Equatable {
  /// Those of the launch, without what the program recorded after it.
  package var events: Int
  /// What the program recorded after the launch.
  package var laterEvents: Int
  /// Those during the launch on the track that has most of them.
  package var busiestEvents: Int
  /// ns each, as calibrated by the recorder.
  package var eventCost: Double
  /// CPU time of its start, ns: before `main`, or in the program's call.
  package var startupCost: Double
  /// Events that were not recorded.
  package var dropped: Int
  /// Initialisers that could not be timed.
  package var untimedInitializers: Int
  package var libraryVersion: String
  /// CPU time of all threads, ns.
  package var total: Double { startupCost + Double(events) * eventCost }
  /// By how much it delayed the launch at least, ns. Threads record at the same time.
  package var delay: Double { startupCost + Double(busiestEvents) * eventCost }
}

extension RecorderCost {
  /// - Parameters:
  ///   - end: of the launch, ns. A server goes on recording what it does for its clients.
  ///   - process: the launched one. Each process has its own recorder.
  init(_ facts: RecorderFacts, trace: Trace, until end: Int64, process: Int32) {
    // Few ids, looked up a million times: an array is faster than a set.
    let outside = CategoryName.fromOutside.compactMap { trace.strings.id(of: $0)?.rawValue }
    var (events, later, byTrack) = (0, 0, [Int](repeating: 0, count: trace.tracks.count))
    let isOwn = trace.tracks.indices.map { trace.isTrack(Int32(truncatingIfNeeded: $0), of: process) }
    func count(_ track: Int32, _ time: Int64) {
      if isOwn.indices.contains(Int(track)), !isOwn[Int(track)] { return }
      if time > end {
        later += 1
        return
      }
      events += 1
      if byTrack.indices.contains(Int(track)) { byTrack[Int(track)] += 1 }
    }
    let (instants, slices) = (trace.instants, trace.slices)
    for row in 0..<instants.count where !outside.contains(instants.category[row]) {
      count(instants.track[row], instants.time[row])
    }
    for row in 0..<slices.count where !outside.contains(slices.category[row]) {
      let (track, start, duration) = (slices.track[row], slices.start[row], slices.duration[row])
      count(track, start)
      if duration != SliceTable.unfinished { count(track, start &+ duration) }
    }
    self.init(
      events: events, laterEvents: later, busiestEvents: byTrack.max() ?? 0, eventCost: facts.eventCost,
      startupCost: facts.startupCost, dropped: facts.dropped, untimedInitializers: facts.untimedInitializers,
      libraryVersion: facts.libraryVersion)
  }

  /// Whether events of the launch may be missing. If the trace got new chunks after the launch, none are: events are lost
  /// only once there are no more chunks.
  func lacksEvents(_ trace: Trace, process: Int32) -> Bool {
    guard dropped > 0 else { return false }
    let threads = trace.tracks.count { $0.kind == .thread && $0.processID == process }
    return laterEvents <= (threads + Self.chunksAhead) * Self.mostEventsOfChunk
  }

  /// Each thread has a chunk of the trace, and the recorder makes a few more before they are needed.
  private static let chunksAhead = 64
  /// A chunk has 16 KiB, and no event takes less than 8 bytes.
  private static let mostEventsOfChunk = 2048
}
