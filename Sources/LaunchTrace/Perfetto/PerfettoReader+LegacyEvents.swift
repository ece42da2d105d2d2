// SPDX-License-Identifier: Apache-2.0

/// `TrackEvent.LegacyEvent`.
struct LegacyEvent {
  var nameID: UInt64 = 0
  var phase: UInt8 = 0
  var duration: Int64 = 0
  var unscopedID: UInt64?
  var localID: UInt64?
  var globalID: UInt64?
  var scope: UnsafeRawBufferPointer?
  var instantScope: UInt64 = 0
  var processID: Int32?
  var threadID: Int32?

  init(_ message: UnsafeRawBufferPointer) {
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): nameID = field.value
      case (2, 0): phase = UInt8(truncatingIfNeeded: field.value)
      case (3, 0): duration = field.signed.multipliedSaturated(1000)
      case (6, 0): unscopedID = field.value
      case (10, 0): localID = field.value
      case (11, 0): globalID = field.value
      case (7, 2): scope = field.bytes
      case (14, 0): instantScope = field.value
      case (18, 0): processID = field.int32
      case (19, 0): threadID = field.int32
      default: break
      }
    }
  }
}

extension PerfettoReader {
  /// An event with a phase of Chrome's JSON, or with its names or ids (`track_event_event_importer.h`).
  mutating func read(legacy event: TrackEvent, _ message: UnsafeRawBufferPointer, _ time: Int64, _ row: Int) {
    guard let bytes = event.legacy else { return }
    let legacyEvent = LegacyEvent(bytes)
    var event = event
    if event.nameID == 0, event.name == nil { event.nameID = legacyEvent.nameID }
    readClockCounters(event, time, row)
    if event.hasExtraCounters { readExtraCounters(message, time, row) }
    let owner = owner(of: event, legacyEvent, row)
    if event.type == TrackEvent.Kind.counter {
      if let track = track(of: event, row) { readCounter(event, track, time, row) }
      return
    }
    guard let phase = phase(of: event, legacyEvent, owner) else {
      return legacyEvent.phase == 0 ? ignored("track events of no type") : skipped("legacy events of other phases")
    }
    let name = name(of: event, row)
    let category = category(of: event, message, row)
    if phase == UInt8(ascii: "M") { return rename(owner, name, message) }
    guard let track = track(of: legacyEvent, owner, name, category) else { return ignored("legacy events of no track") }
    let annotation = event.hasAnnotations ? annotations(message, row) : 0
    let thread = builder.trace.tracks[Int(track.rawValue)].kind == .thread ? nil : owner.thread
    var known = DeferredEvent(
      .begin, time, track, thread: thread, name: name, category: category, annotation: annotation)
    switch phase {
    case UInt8(ascii: "B"), UInt8(ascii: "b"), UInt8(ascii: "S"): break
    case UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "F"): known.kind = .end
    case UInt8(ascii: "X"):
      if legacyEvent.duration < 0 { return ignored("events of a negative duration") }
      // Such an event has no thread of its own.
      (known.value, known.thread) = (legacyEvent.duration, -1)
    default: known.kind = .instant
    }
    add(known)
  }

  /// The phases that are slices and instants. Flows and other phases are not read.
  private func phase(of event: TrackEvent, _ legacyEvent: LegacyEvent, _ owner: Owner) -> UInt8? {
    if legacyEvent.phase != 0 {
      return Array("BEXiIRbSeFnTpM".utf8).contains(legacyEvent.phase) ? legacyEvent.phase : nil
    }
    let isThread = owner.track == owner.thread && owner.thread != nil
    switch event.type {
    case TrackEvent.Kind.begin: return UInt8(ascii: isThread ? "B" : "b")
    case TrackEvent.Kind.end: return UInt8(ascii: isThread ? "E" : "e")
    case TrackEvent.Kind.instant: return UInt8(ascii: isThread ? "i" : "n")
    default: return nil
    }
  }

  /// Whose an event is.
  private struct Owner {
    var track: TrackID?
    var thread: TrackID?
    var processID: Int32?
  }

  private mutating func owner(of event: TrackEvent, _ legacyEvent: LegacyEvent, _ row: Int) -> Owner {
    let uuid = uuid(of: event, row)
    if uuid != 0 {
      let track = track(of: event, row)
      switch descriptors.scope(uuid, &builder) {
      case .thread(let thread):
        return Owner(track: track, thread: thread, processID: builder.trace.tracks[Int(thread.rawValue)].processID)
      case .process(_, let processID): return Owner(track: track, processID: processID)
      default: return Owner(track: track)
      }
    }
    var processID = sequences[row].thread?.processID ?? 0
    var threadID = sequences[row].thread?.threadID ?? 0
    if let other = legacyEvent.processID {
      processID = other
      // A thread of the process that is not named: one that no real thread can be.
      threadID = legacyEvent.threadID ?? -1
    } else if let other = legacyEvent.threadID {
      threadID = other
    }
    if processID == 0 || threadID == 0 { return Owner() }
    let thread = builder.thread(threadID, ofProcess: processID)
    return Owner(track: thread, thread: thread, processID: processID)
  }

  private mutating func track(
    of legacyEvent: LegacyEvent, _ owner: Owner, _ name: StringID, _ category: StringID
  ) -> TrackID? {
    switch legacyEvent.phase {
    case UInt8(ascii: "i"), UInt8(ascii: "I"):
      switch legacyEvent.instantScope {
      case 1: return legacy.instants(ofProcess: nil, &builder)
      case 2: return owner.processID.map { legacy.instants(ofProcess: $0, &builder) }
      default: return owner.thread == nil ? nil : owner.track
      }
    case UInt8(ascii: "b"), UInt8(ascii: "e"), UInt8(ascii: "n"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "p"), UInt8(ascii: "F"):
      return asyncTrack(legacyEvent, owner, name, category)
    case UInt8(ascii: "B"), UInt8(ascii: "E"), UInt8(ascii: "X"): return owner.thread == nil ? nil : owner.track
    default: return owner.track
    }
  }

  private mutating func asyncTrack(
    _ legacyEvent: LegacyEvent, _ owner: Owner, _ name: StringID, _ category: StringID
  ) -> TrackID? {
    guard let id = legacyEvent.unscopedID ?? legacyEvent.globalID ?? legacyEvent.localID else { return nil }
    let isLocal = legacyEvent.unscopedID == nil && legacyEvent.globalID == nil
    if isLocal, owner.processID == nil { return nil }
    // S, T, p, F are matched by name, b, n, e by category.
    let ownScope = legacyEvent.scope.map { builder.string(utf8: $0) }
    let scope = ownScope == nil && Array("STpF".utf8).contains(legacyEvent.phase) ? name : category
    let key = LegacyTracks.AsyncKey(
      id: id, processID: isLocal ? owner.processID : nil, scope: scope, ownScope: ownScope)
    return legacy.async(key, name: name, processID: owner.processID, &builder)
  }

  /// A metadata event: `thread_name` or `process_name`, whose first annotation is the name.
  private mutating func rename(_ owner: Owner, _ event: StringID, _ message: UnsafeRawBufferPointer) {
    var fields = ProtobufFields(message)
    var text: StringID?
    while text == nil, let field = fields.next() {
      guard field.number == 4, field.wire == 2 else { continue }
      for part in ProtobufFields(field.bytes) where part.number == 6 && part.wire == 2 {
        text = builder.string(utf8: part.bytes)
      }
    }
    guard let text else { return }
    switch builder.trace.strings[event] {
    case "thread_name": if let thread = owner.thread { names.name(thread, text, from: .threadType, &builder) }
    case "process_name":
      if let processID = owner.processID { names.name(builder.process(processID), text, from: .descriptor, &builder) }
    default: break
    }
  }
}
