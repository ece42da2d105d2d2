// SPDX-License-Identifier: Apache-2.0

/// Tracks of events of Chrome's JSON, and of events that are described as there (`TrackEvent.LegacyEvent`): async work by id,
/// instants of a process or of all, and counters.
struct LegacyTracks {
  /// The scope of async events in the JSON that launchprof writes: their ids alone name their tracks. Others read it as any
  /// scope, or not.
  static let launchprofScope: StaticString = "launchprof"

  struct AsyncKey: Hashable {
    var id: UInt64
    /// The process, for ids that are one's own; else nil.
    var processID: Int32?
    var scope: StringID
    /// What the event itself gives as its scope.
    var ownScope: StringID?
  }

  private struct CounterKey: Hashable {
    var name: String
    var thread: TrackID
  }

  private var asyncs: [AsyncKey: TrackID] = [:]
  private var instants: [Int32?: TrackID] = [:]
  private var counters: [CounterKey: TrackID] = [:]

  /// The track of async events with the same id; its name is that of the first.
  mutating func async(_ key: AsyncKey, name: StringID, processID: Int32?, _ builder: inout TraceBuilder) -> TrackID {
    if let known = asyncs[key] { return known }
    let id = addTrack(name, processID, &builder)
    asyncs[key] = id
    return id
  }

  /// The track of a process's instants; nil for those of all.
  mutating func instants(ofProcess processID: Int32?, _ builder: inout TraceBuilder) -> TrackID {
    if let known = instants[processID] { return known }
    let id = addTrack(builder.string("instants"), processID, &builder)
    instants[processID] = id
    return id
  }

  mutating func counter(_ name: String, unit: String, of thread: TrackID, _ builder: inout TraceBuilder) -> TrackID {
    let key = CounterKey(name: name, thread: thread)
    if let known = counters[key] { return known }
    let processID = builder.trace.tracks[Int(thread.rawValue)].processID
    let id = builder.addTrack(
      Track(
        kind: .counter, name: builder.string(name), processID: processID, parent: thread, unit: builder.string(unit)))
    counters[key] = id
    return id
  }

  private func addTrack(_ name: StringID, _ processID: Int32?, _ builder: inout TraceBuilder) -> TrackID {
    let parent = processID.map { builder.process($0) }
    let id = builder.addTrack(Track(kind: .async, name: name, processID: processID ?? 0, parent: parent))
    builder.lanes[Int(id.rawValue)].isUnordered = true
    return id
  }
}
