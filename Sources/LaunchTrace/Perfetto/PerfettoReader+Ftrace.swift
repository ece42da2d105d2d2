// SPDX-License-Identifier: Apache-2.0

/// What holds for every event of a bundle.
struct FtraceBundle {
  var cpu: UInt32 = 0
  var clock = ClockTable.Clock(6)
}

extension PerfettoReader {
  /// A bundle of one processor's kernel events (`FtraceEventBundle`). Threads move between processors, so that all of
  /// them are sorted before they are given to tracks.
  mutating func read(ftrace message: UnsafeRawBufferPointer) {
    var bundle = FtraceBundle()
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): bundle.cpu = UInt32(truncatingIfNeeded: field.value)
      // FTRACE_CLOCK_MONO_RAW; other clocks than BOOTTIME are of this boot alone and are taken as they are.
      case (5, 0) where field.value == 4: bundle.clock = ClockTable.Clock(5)
      default: break
      }
    }
    var events = ProtobufFields(message)
    while let field = events.next() {
      switch (field.number, field.wire) {
      case (2, 2): read(ftraceEvent: field.bytes, bundle)
      case (4, 2): read(compactSched: field.bytes, bundle)
      default: break
      }
    }
    if events.isMalformed { report("an ftrace bundle that is not protobuf") }
  }

  private mutating func read(ftraceEvent message: UnsafeRawBufferPointer, _ bundle: FtraceBundle) {
    var time: Int64 = 0
    var threadID: Int32 = 0
    var flags: UInt64 = 0
    var kind = 0
    var payload = message
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): time = field.signed
      case (2, 0): threadID = field.int32
      case (5, 0): flags = field.value
      case (_, 2):
        kind = field.number
        payload = field.bytes
      default: break
      }
    }
    guard let time = convert(time, bundle.clock) else { return }
    if threadID != 0, threadID != scheduling.lastThread {
      scheduling.lastThread = threadID
      // The trace has room for no more threads than that.
      if ftraceThreads.count < TraceLimits.threads(bytes: builder.bytes), ftraceThreads.insert(threadID).inserted {
        later(time, .threadName, threadID, .empty)
      }
    }
    switch kind {
    case FtraceField.print: read(print: payload, time, threadID)
    case FtraceField.schedSwitch: read(schedSwitch: payload, time, cpu: bundle.cpu)
    case FtraceField.schedWaking, FtraceField.schedWakeup, FtraceField.schedWakeupNew:
      let (id, name) = comm(payload)
      scheduledName(time, id, name)
      later(wakeup: time, of: id, by: isInterrupt(flags) ? 0 : threadID)
    case FtraceField.taskRename:
      let (id, name) = comm(payload, nameField: 3, idField: 1)
      scheduledName(time, id, name)
    case FtraceField.taskNewTask:
      let (id, name) = comm(payload, nameField: 2, idField: 1)
      scheduling.names[id] = nil
      later(time, .threadStart, id, name)
    case FtraceField.schedProcessFree:
      let (id, _) = comm(payload)
      scheduling.names[id] = nil
      later(time, .threadEnd, id, .empty)
    default: skipped("ftrace event \(kind)")
    }
  }

  private enum FtraceField {
    static let print = 3
    static let schedSwitch = 4
    static let schedWakeup = 17
    static let schedWaking = 20
    static let schedWakeupNew = 114
    static let taskNewTask = 235
    static let taskRename = 236
    static let schedProcessFree = 240
  }

  private var rowsBefore: UInt32 { UInt32(truncatingIfNeeded: builder.trace.switches.count) }

  mutating func later(_ time: Int64, _ kind: DeferredEvent.Kind, _ threadID: Int32, _ name: StringID) {
    deferred.append(DeferredEvent(time: time, track: threadID, name: name.rawValue, annotation: rowsBefore, kind: kind))
  }

  /// Events that name a thread: its id and its name.
  private mutating func comm(
    _ message: UnsafeRawBufferPointer, nameField: Int = 1, idField: Int = 2
  ) -> (Int32, StringID) {
    var id: Int32 = 0
    var name = StringID.empty
    for field in ProtobufFields(message) {
      if field.number == idField, field.wire == 0 { id = field.int32 }
      if field.number == nameField, field.wire == 2 { name = builder.string(utf8: field.bytes) }
    }
    return (id, name)
  }

  // MARK: atrace

  private mutating func read(print message: UnsafeRawBufferPointer, _ time: Int64, _ threadID: Int32) {
    var text: UnsafeRawBufferPointer?
    for field in ProtobufFields(message) where field.number == 2 && field.wire == 2 { text = field.bytes }
    guard let text, let point = AtracePoint(text) else { return skipped("ftrace prints of another form") }
    var event = DeferredEvent(time: time, track: threadID, annotation: rowsBefore, kind: .atrace)
    event.value = point.value
    event.thread = point.processID
    event.name = builder.string(utf8: point.name).rawValue
    event.category = builder.string(utf8: point.track).rawValue
    event.phase = point.phase
    deferred.append(event)
    // The thread's track gets events from here and, perhaps, from a sequence of its own.
    if !isSorting, builder.trace.slices.count > 0 { mustSort = true }
    isSorting = true
  }

  mutating func apply(atrace event: DeferredEvent) {
    let name = StringID(rawValue: event.name)
    let processID = event.thread
    let thread =
      processID == 0 ? builder.thread(event.track) : builder.thread(event.track, ofProcess: processID)
    switch event.phase {
    case UInt8(ascii: "B"):
      builder.begin(track: thread, time: event.time, name: name == .empty ? builder.string("[empty slice name]") : name)
    case UInt8(ascii: "E"): builder.end(track: thread, time: event.time)
    case UInt8(ascii: "I"): builder.instant(track: thread, time: event.time, name: name)
    case UInt8(ascii: "C"):
      let track = legacy.counter(builder.trace.strings[name], unit: "", of: builder.process(processID), &builder)
      builder.counter(track: track, time: event.time, value: Double(event.value))
    default: apply(asyncAtrace: event, name, processID, thread)
    }
  }

  private mutating func apply(asyncAtrace event: DeferredEvent, _ name: StringID, _ processID: Int32, _ thread: TrackID)
  {
    let isNamed = event.category != 0
    let scope = isNamed ? StringID(rawValue: event.category) : name
    let key = LegacyTracks.AsyncKey(id: UInt64(bitPattern: event.value), processID: processID, scope: scope)
    let track = legacy.async(key, name: scope, processID: processID, &builder)
    switch event.phase {
    case UInt8(ascii: "S"):
      // One slice at a time: a second start of the same cookie does not nest.
      if builder.lanes[Int(track.rawValue)].top < 0 {
        builder.begin(track: track, time: event.time, name: name, thread: thread)
      }
    case UInt8(ascii: "G"): builder.begin(track: track, time: event.time, name: name, thread: thread)
    case UInt8(ascii: "F"), UInt8(ascii: "H"): builder.end(track: track, time: event.time, thread: thread)
    case UInt8(ascii: "N"): builder.instant(track: track, time: event.time, name: name)
    default: break
    }
  }
}
