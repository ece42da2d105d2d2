// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  mutating func read(trackEvent message: UnsafeRawBufferPointer, _ packet: TracePacket, _ row: Int) {
    if mode == .describing { return }
    guard let event = TrackEvent(message) else {
      advanceClock(packet, row)
      return report("a track event that is not protobuf; skipped")
    }
    guard let time = time(of: event, packet, row) else { return }
    if time < 0 { return ignored("events before time 0") }
    if event.legacy != nil { return read(legacy: event, message, time, row) }
    readClockCounters(event, time, row)
    guard let track = track(of: event, row) else { return }
    if event.hasExtraCounters { readExtraCounters(message, time, row) }
    let name = name(of: event, row)
    let annotation = event.hasAnnotations && event.type != TrackEvent.Kind.counter ? annotations(message, row) : 0
    let kind: DeferredEvent.Kind
    switch event.type {
    case TrackEvent.Kind.begin: kind = .begin
    case TrackEvent.Kind.end: kind = .end
    case TrackEvent.Kind.instant: kind = .instant
    case TrackEvent.Kind.counter: return readCounter(event, track, time, row)
    default: return skipped("track events of type \(event.type)")
    }
    add(
      DeferredEvent(
        kind, time, track, thread: kind == .instant ? nil : asyncThread(track, row), name: name,
        category: category(of: event, message, row), annotation: annotation))
  }

  /// The event's time on the primary clock, ns. Deltas and absolute microseconds are of old writers, on MONOTONIC.
  @inline(__always)
  private mutating func time(of event: TrackEvent, _ packet: TracePacket, _ row: Int) -> Int64? {
    if let delta = event.timeDelta {
      guard let thread = sequences[row].thread else {
        ignored("events with a relative time and no thread descriptor before them")
        return nil
      }
      let time = thread.time.addingSaturated(delta.multipliedSaturated(1000))
      sequences[row].thread?.time = time
      return convert(monotonic: time)
    }
    if let time = event.time { return convert(monotonic: time.multipliedSaturated(1000)) }
    return eventTime(of: packet, row)
  }

  /// The uuid of an event's track, or of its sequence's; 0 for none.
  @inline(__always)
  func uuid(of event: TrackEvent, _ row: Int) -> UInt64 { event.track ?? sequences[row].defaults.track ?? 0 }

  /// The track of an event that names one, or whose sequence has one.
  @inline(__always)
  mutating func track(of event: TrackEvent, _ row: Int) -> TrackID? {
    let uuid = uuid(of: event, row)
    if sequences[row].lastTrack >= 0, sequences[row].lastUUID == uuid {
      return TrackID(rawValue: sequences[row].lastTrack)
    }
    return findTrack(uuid, event, row)
  }

  private mutating func findTrack(_ uuid: UInt64, _ event: TrackEvent, _ row: Int) -> TrackID? {
    if uuid == 0, event.track == nil, let thread = sequences[row].thread {
      return builder.thread(thread.threadID, ofProcess: thread.processID)
    }
    guard hasRoom(forTrack: uuid) else { return nil }
    guard let track = descriptors.track(uuid, &builder) else {
      if mode == .direct { mustSort = true } else { ignored("events of tracks whose parent is not described") }
      return nil
    }
    sequences[row].lastUUID = uuid
    sequences[row].lastTrack = track.rawValue
    return track
  }

  /// Counts the events that are left out, because the file has too many tracks for its size.
  mutating func hasRoom(forTrack uuid: UInt64) -> Bool {
    let hasRoom = descriptors.hasRoom(for: uuid, bytes: offset + decompressed)
    if !hasRoom { builder.trace.statistics.untracked += 1 }
    return hasRoom
  }

  /// For a track that belongs to no thread: the thread that wrote the event, if the sequence says which.
  @inline(__always)
  private mutating func asyncThread(_ track: TrackID, _ row: Int) -> TrackID? {
    if builder.trace.tracks[Int(track.rawValue)].kind != .async { return nil }
    if let known = sequences[row].ownThread { return known }
    guard let uuid = sequences[row].defaults.track, case .thread(let thread)? = descriptors.scope(uuid, &builder) else {
      return nil
    }
    sequences[row].ownThread = thread
    return thread
  }

  @inline(__always)
  mutating func name(of event: TrackEvent, _ row: Int) -> StringID {
    if event.nameID == 0 { return event.name.map { builder.string(utf8: $0) } ?? .empty }
    return sequences[row].names.string(event.nameID) ?? .empty
  }

  @inline(__always)
  mutating func category(of event: TrackEvent, _ message: UnsafeRawBufferPointer, _ row: Int) -> StringID {
    if event.categories == 0 { return .empty }
    if event.categories == 1, event.category == nil {
      return sequences[row].categories.string(event.categoryID)
        ?? builder.string(joined: "unknown(\(event.categoryID))")
    }
    if event.categories == 1, let name = event.category { return builder.string(utf8: name) }
    return joinedCategories(message, row)
  }

  /// More bytes than the categories of an event have. A file can repeat a long one in each event.
  private static let longestCategories = 1024

  /// Several categories become one, with commas: first those by id, then those by name, as for trace_processor. Those that
  /// would make it too long are left out.
  private mutating func joinedCategories(_ message: UnsafeRawBufferPointer, _ row: Int) -> StringID {
    var (names, size): ([String], Int) = ([], 0)
    func append(_ name: String) {
      guard size + name.utf8.count < Self.longestCategories else { return }
      names.append(name)
      size += name.utf8.count + 1
    }
    for field in ProtobufFields(message) where field.number == 3 {
      field.forEachVarint { if let id = sequences[row].categories.string($0) { append(builder.trace.strings[id]) } }
    }
    for field in ProtobufFields(message) where field.number == 22 { append(field.string) }
    return builder.string(joined: names.joined(separator: ","))
  }
}

extension Int64 {
  func multipliedSaturated(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
