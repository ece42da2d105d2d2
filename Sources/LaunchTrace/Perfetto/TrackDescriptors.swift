// SPDX-License-Identifier: Apache-2.0

/// The tracks that `TrackDescriptor`s describe, by uuid, and the builder's track that each becomes when it is used
/// (as trace_processor resolves them, `track_event_tracker.cc`).
struct TrackDescriptors {
  struct Described {
    var parent: UInt64 = 0
    var name = StringID.empty
    var processID: Int32?
    var threadID: Int32?
    /// Its place in `counters`, -1 for a track that is none.
    fileprivate var counter: Int32 = -1
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

  /// Rows by uuid. A hostile file may have millions, so that a row is small.
  private var index = RowIndex()
  private var uuids: [UInt64] = []
  /// By row: the place in `described`, -1 for a track that events name and no descriptor describes.
  private var places: [Int32] = []
  /// What descriptors say; the first one says nothing.
  private var described = [Described()]
  private var counters: [Counter] = []
  /// By row: its event track in the builder, -1 until it is used.
  private var tracks: [Int32] = []
  /// By row: the track of the thread or process that it belongs to, or one of these, until `scope` has found out.
  private var owners: [Int32] = []
  private static let unknownOwner: Int32 = -1
  private static let noOwner: Int32 = -2
  /// The uuid by which a thread (process) is known now; another one is another thread with the same id.
  private var uuidOfThread: [TrackID: UInt64] = [:]
  private var uuidOfProcess: [Int32: UInt64] = [:]

  /// As deep as a track may lie below others.
  private static let deepest = 100

  private func row(of uuid: UInt64) -> Int? {
    index.row(hash: RowHash.of(uuid)) { uuids[$0] == uuid }
  }

  private mutating func add(_ uuid: UInt64, place: Int32) -> Int {
    index.add(uuids.count, hash: RowHash.of(uuid))
    uuids.append(uuid)
    places.append(place)
    tracks.append(-1)
    owners.append(Self.unknownOwner)
    return uuids.count - 1
  }

  private func described(_ row: Int) -> Described { described[max(0, Int(places[row]))] }

  /// What a track counts, if it does.
  func counter(_ uuid: UInt64) -> Counter? {
    guard let row = row(of: uuid) else { return nil }
    let counter = described(row).counter
    return counter < 0 ? nil : counters[Int(counter)]
  }

  /// Whether a track is known, or there is room for one more in a file of so many bytes.
  func hasRoom(for uuid: UInt64, bytes: Int) -> Bool {
    uuids.count < TraceLimits.tracks(bytes: bytes) || row(of: uuid) != nil
  }

  /// Adds what a descriptor says. False when events have already used the track as something else: then they have to
  /// be read again.
  mutating func add(_ new: Described, _ counter: Counter?, uuid: UInt64) -> Bool {
    guard let row = row(of: uuid) else {
      _ = add(uuid, place: place(of: new, counter))
      return true
    }
    if places[row] < 0 {
      places[row] = place(of: new, counter)
      (tracks[row], owners[row]) = (-1, Self.unknownOwner)
      return false
    }
    // The first description counts, as in trace_processor. A name may come later.
    if described(row).name == .empty, new.name != .empty {
      if places[row] == 0 { places[row] = place(of: Described(), nil, isShared: false) }
      described[Int(places[row])].name = new.name
    }
    return true
  }

  private mutating func place(of new: Described, _ counter: Counter?, isShared: Bool = true) -> Int32 {
    let saysNothing = new.parent == 0 && new.name == .empty && new.processID == nil && counter == nil
    if isShared, saysNothing { return 0 }
    described.append(new)
    if let counter {
      described[described.count - 1].counter = Int32(truncatingIfNeeded: counters.count)
      counters.append(counter)
    }
    return Int32(truncatingIfNeeded: described.count - 1)
  }

  /// Forgets which tracks the descriptors have become: for a second reading.
  mutating func forgetTracks() {
    for row in uuids.indices { (tracks[row], owners[row]) = (-1, Self.unknownOwner) }
    uuidOfThread = [:]
    uuidOfProcess = [:]
  }

  /// The track that events of `uuid` lie on; nil if what it lies under is not described, or lies under itself.
  mutating func track(_ uuid: UInt64, _ builder: inout TraceBuilder) -> TrackID? {
    let row = row(of: uuid) ?? add(uuid, place: -1)
    if tracks[row] >= 0 { return TrackID(rawValue: tracks[row]) }
    guard let scope = scope(uuid, &builder) else { return nil }
    let id = makeTrack(described(row), scope, &builder)
    tracks[row] = id.rawValue
    return id
  }

  private mutating func makeTrack(_ it: Described, _ scope: Scope, _ builder: inout TraceBuilder) -> TrackID {
    var track = Track(kind: it.counter < 0 ? .async : .counter, name: it.name)
    track.unit = it.counter < 0 ? .empty : counters[Int(it.counter)].unit
    switch scope {
    case .thread(let id):
      if it.threadID != nil, it.counter < 0 { return id }
      track.parent = id
      track.processID = builder.trace.tracks[Int(id.rawValue)].processID
    case .process(let id, let processID):
      if it.processID != nil, it.counter < 0 { return id }
      track.parent = id
      track.processID = processID
    case .global: break
    }
    if it.parent != 0, let parent = row(of: it.parent), tracks[parent] >= 0 {
      track.parent = TrackID(rawValue: tracks[parent])
    }
    let id = builder.addTrack(track)
    builder.lanes[Int(id.rawValue)].isUnordered = true
    return id
  }

  /// The owner of the track: a thread, a process, or neither. Nil for a broken hierarchy.
  mutating func scope(_ uuid: UInt64, _ builder: inout TraceBuilder) -> Scope? {
    guard let chain = chain(from: uuid), let innermost = chain.first else { return nil }
    // From the outermost, each says whose it is, or is its parent's.
    var owner = Self.noOwner
    for row in chain.reversed() {
      if owners[row] != Self.unknownOwner {
        owner = owners[row]
        continue
      }
      let it = described(row)
      if let threadID = it.threadID {
        owner = thread(threadID, it.processID ?? 0, uuids[row], &builder).rawValue
      } else if let processID = it.processID {
        owner = process(processID, uuids[row], &builder).rawValue
      }
      owners[row] = owner
    }
    return Self.scope(owners[innermost], builder)
  }

  private static func scope(_ owner: Int32, _ builder: TraceBuilder) -> Scope {
    if owner == noOwner { return .global }
    let track = builder.trace.tracks[Int(owner)]
    return track.kind == .process
      ? .process(TrackID(rawValue: owner), track.processID) : .thread(TrackID(rawValue: owner))
  }

  /// The rows of `uuid` and what it lies under; nil if that is not described, or lies under itself.
  private func chain(from uuid: UInt64) -> [Int]? {
    var chain: [Int] = []
    var current = uuid
    while current != 0 || chain.isEmpty {
      guard let row = row(of: current), chain.count < Self.deepest else { return nil }
      chain.append(row)
      if owners[row] != Self.unknownOwner { return chain }
      current = described(row).parent
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
