// SPDX-License-Identifier: Apache-2.0

/// The tracks that `TrackDescriptor`s describe, by uuid, and the builder's track that each becomes when it is used
/// (as trace_processor resolves them, `track_event_tracker.cc`).
struct TrackDescriptors {
  struct Described {
    var parent: UInt64 = 0
    var name = StringID.empty
    var processID: Int32?
    var threadID: Int32?
    var counter: Counter?
    /// Its event track in the builder, -1 until it is used.
    var track: Int32 = -1
    /// Whose it is, once `scope` has found out.
    var scope: Scope?
    /// A descriptor has been read, not only events.
    var isDescribed = true
  }

  struct Counter {
    var unit = StringID.empty
    var multiplier: Double = 1
    var isIncremental = false
  }

  enum Scope {
    case thread(TrackID)
    case process(TrackID, Int32)
    case global
  }

  private var described: [UInt64: Described] = [:]
  /// The uuid by which a thread (process) is known now; another one is another thread with the same id.
  private var uuidOfThread: [TrackID: UInt64] = [:]
  private var uuidOfProcess: [Int32: UInt64] = [:]

  /// As deep as a track may lie below others.
  private static let deepest = 100

  subscript(uuid: UInt64) -> Described? { described[uuid] }

  /// Adds what a descriptor says. False when events have already used the track as something else: then they have to
  /// be read again.
  mutating func add(_ new: Described, uuid: UInt64) -> Bool {
    guard let old = described[uuid] else {
      described[uuid] = new
      return true
    }
    if !old.isDescribed {
      described[uuid] = new
      return false
    }
    // The first description counts, as in trace_processor. A name may come later.
    if old.name == .empty, new.name != .empty { described[uuid]?.name = new.name }
    return true
  }

  /// Forgets which tracks the descriptors have become: for a second reading.
  mutating func forgetTracks() {
    for uuid in described.keys {
      described[uuid]?.track = -1
      described[uuid]?.scope = nil
    }
    described = described.filter { $0.value.isDescribed }
    uuidOfThread = [:]
    uuidOfProcess = [:]
  }

  /// The track that events of `uuid` lie on; nil if what it lies under is not described, or lies under itself.
  mutating func track(_ uuid: UInt64, _ builder: inout TraceBuilder) -> TrackID? {
    if let known = described[uuid], known.track >= 0 { return TrackID(rawValue: known.track) }
    if described[uuid] == nil { described[uuid] = Described(isDescribed: false) }
    guard let scope = scope(uuid, &builder), let it = described[uuid] else { return nil }
    let id = makeTrack(it, scope, &builder)
    described[uuid]?.track = id.rawValue
    return id
  }

  private mutating func makeTrack(_ it: Described, _ scope: Scope, _ builder: inout TraceBuilder) -> TrackID {
    var track = Track(kind: it.counter == nil ? .async : .counter, name: it.name)
    track.unit = it.counter?.unit ?? .empty
    switch scope {
    case .thread(let id):
      if it.threadID != nil, it.counter == nil { return id }
      track.parent = id
      track.processID = builder.trace.tracks[Int(id.rawValue)].processID
    case .process(let id, let processID):
      if it.processID != nil, it.counter == nil { return id }
      track.parent = id
      track.processID = processID
    case .global: break
    }
    if it.parent != 0, let parent = described[it.parent], parent.track >= 0 {
      track.parent = TrackID(rawValue: parent.track)
    }
    let id = builder.addTrack(track)
    builder.lanes[Int(id.rawValue)].isUnordered = true
    return id
  }

  /// The owner of the track: a thread, a process, or neither. Nil for a broken hierarchy.
  mutating func scope(_ uuid: UInt64, _ builder: inout TraceBuilder) -> Scope? {
    guard let chain = chain(from: uuid) else { return nil }
    // From the outermost, each says whose it is, or is its parent's.
    var scope = Scope.global
    for uuid in chain.reversed() {
      guard let it = described[uuid] else { return nil }
      if let known = it.scope {
        scope = known
        continue
      }
      if let threadID = it.threadID {
        scope = .thread(thread(threadID, it.processID ?? 0, uuid, &builder))
      } else if let processID = it.processID {
        scope = .process(process(processID, uuid, &builder), processID)
      }
      described[uuid]?.scope = scope
    }
    return scope
  }

  /// `uuid` and what it lies under; nil if that is not described, or lies under itself.
  private func chain(from uuid: UInt64) -> [UInt64]? {
    var chain: [UInt64] = []
    var current = uuid
    while current != 0 || chain.isEmpty {
      guard let it = described[current], chain.count < Self.deepest else { return nil }
      chain.append(current)
      if it.scope != nil { return chain }
      current = it.parent
    }
    return chain
  }

  private mutating func thread(
    _ threadID: Int32, _ processID: Int32, _ uuid: UInt64, _ builder: inout TraceBuilder
  ) -> TrackID {
    var id = builder.thread(threadID, ofProcess: processID)
    if uuidOfThread[id] != nil { id = builder.startThread(threadID, ofProcess: processID) }
    uuidOfThread[id] = uuid
    builder.trace.tracks[Int(id.rawValue)].uuid = uuid
    return id
  }

  private mutating func process(_ processID: Int32, _ uuid: UInt64, _ builder: inout TraceBuilder) -> TrackID {
    var id = builder.process(processID)
    if uuidOfProcess[processID] != nil { id = builder.startProcess(processID) }
    uuidOfProcess[processID] = uuid
    builder.describe(processID: processID, uuid: uuid)
    return id
  }
}
