// SPDX-License-Identifier: Apache-2.0

/// The tracks of Chrome's events.
struct ChromeTracks {
  private struct AsyncKey: Hashable {
    var category: StringID
    var id: StringID
    /// The process, if the id belongs to a process.
    var processID: Int32?
  }

  private struct CounterKey: Hashable {
    var name: StringID
    var processID: Int32
  }

  private var asyncs: [AsyncKey: TrackID] = [:]
  private var instants: [Int32: TrackID] = [:]
  private var globalInstants: TrackID?
  private var counters: [CounterKey: TrackID] = [:]
  // The thread of the last event, because most events have the same thread as the one before.
  private var last: (processID: Int32, threadID: Int32, track: TrackID)?

  mutating func thread(_ threadID: Int32, _ processID: Int32, _ builder: inout TraceBuilder) -> TrackID {
    if let last, last.threadID == threadID, last.processID == processID { return last.track }
    let track = builder.thread(threadID, ofProcess: processID)
    last = (processID, threadID, track)
    return track
  }

  mutating func async(
    id: StringID, category: StringID, name: StringID, processID: Int32, isLocal: Bool, _ builder: inout TraceBuilder
  ) -> TrackID {
    let key = AsyncKey(category: category, id: id, processID: isLocal ? processID : nil)
    if let known = asyncs[key] { return known }
    let made = builder.addTrack(
      Track(kind: .async, name: name, processID: processID, parent: builder.process(processID)))
    asyncs[key] = made
    return made
  }

  /// The track of a process's instants; nil means instants of all processes.
  mutating func instants(ofProcess processID: Int32?, _ builder: inout TraceBuilder) -> TrackID {
    if let processID {
      if let known = instants[processID] { return known }
    } else if let globalInstants {
      return globalInstants
    }
    let made = builder.addTrack(
      Track(
        kind: .async, name: builder.string("instants"), processID: processID ?? 0,
        parent: processID.map { builder.process($0) }))
    if let processID { instants[processID] = made } else { globalInstants = made }
    return made
  }

  mutating func counter(_ name: StringID, processID: Int32, _ builder: inout TraceBuilder) -> TrackID {
    let key = CounterKey(name: name, processID: processID)
    if let known = counters[key] { return known }
    let made = builder.addTrack(
      Track(kind: .counter, name: name, processID: processID, parent: builder.process(processID)))
    counters[key] = made
    return made
  }
}
