// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema

/// The events that the recorder has written so far, read back from the trace (docs/trace-format.md).
///
/// So a summary contains every interval, without extra cost for each interval.
struct RecordedEvents {
  /// An interval or a phase that has ended. Times are CLOCK_MONOTONIC, ns.
  struct Slice {
    let name: String
    let category: String
    let start: UInt64
    let end: UInt64
    /// Whether it has its own track, because it may suspend.
    let isAsync: Bool
    /// Whether it ran on the main thread, according to its own events.
    let isMain: Bool
    /// CPU time of its thread, ns; 0 if the trace does not have it.
    let cpu: UInt64
  }

  /// The recorder's event for a slice that took longer than its budget.
  struct Flag: Hashable {
    let name: String
    let start: UInt64
  }

  /// What reports call something whose name is empty. Without it, a record would have the key `phase.`.
  static let noName = "(no name)"

  private(set) var slices: [Slice] = []
  /// Phases that have not ended; their end is UInt64.max.
  private(set) var openPhases: [Slice] = []
  /// The wall clock and CLOCK_MONOTONIC when recording began, ns; nil if the trace does not have them.
  private(set) var clocks: (wall: UInt64, monotonic: UInt64)?
  /// The time that the recorder took, as it measured it, ns.
  private(set) var recorderCost = 0.0
  /// `awaited` if the launch waited for it, `elsewhere` if it ran on another thread, empty for the main thread.
  private(set) var flags: [Flag: String] = [:]
  /// The last value of each key.
  private(set) var metadata: [String: String] = [:]

  init(_ trace: [UInt8]) {
    var ends: [Event] = []
    var cost = RecorderCost()
    trace.withUnsafeBytes { bytes in
      var sequences: [UInt64: ThreadNames] = [:]
      for field in ProtobufFields(bytes) where field.number == 1 { read(field.bytes, &sequences, &ends, &cost) }
    }
    pair(ends)
    recorderCost = cost.total
  }

  // MARK: Packets

  private struct Event {
    var time: UInt64 = 0
    var type: UInt64 = 0
    var track: UInt64 = 0
    var isAsync = false
    var isMain = false
    var name = ""
    var category = ""
    var annotations: [String: String] = [:]
  }

  private struct RecorderCost {
    var startup = 0.0
    /// The cost of one event.
    var event = 0.0
    var events = 0
    var total: Double { startup + event * Double(events) }
  }

  /// The names that a thread's sequence has given to the numbers in its events.
  fileprivate struct ThreadNames {
    var track: UInt64 = 0
    var isMain = false
    var names: [UInt64: String] = [:]
    var categories: [UInt64: String] = [:]
    var keys: [UInt64: String] = [:]
    var strings: [UInt64: String] = [:]
  }

  private mutating func read(
    _ packet: UnsafeRawBufferPointer, _ sequences: inout [UInt64: ThreadNames], _ ends: inout [Event],
    _ cost: inout RecorderCost
  ) {
    var (time, id, body) = (UInt64(0), UInt64(0), UnsafeRawBufferPointer?.none)
    var isReset = false
    for field in ProtobufFields(packet) {
      switch field.number {
      case 6 where clocks == nil: readClocks(field.bytes)
      case 8: time = field.value
      case 10: id = field.value
      case 11: body = field.bytes
      case 13: isReset = field.value & 1 != 0
      default: break
      }
    }
    if isReset { sequences[id] = ThreadNames() }
    for field in ProtobufFields(packet) {
      switch field.number {
      case 12: sequences[id, default: ThreadNames()].intern(field.bytes)
      case 59: sequences[id, default: ThreadNames()].readDefaults(field.bytes)
      case 60: sequences[id, default: ThreadNames()].readThread(field.bytes)
      default: break
      }
    }
    if let body, let sequence = sequences[id] { read(event: body, at: time, sequence, &ends, &cost) }
  }

  /// `clock_snapshot.clocks`, by Perfetto's clock ids.
  private mutating func readClocks(_ snapshot: UnsafeRawBufferPointer) {
    var times: [UInt64: UInt64] = [:]
    for clock in ProtobufFields(snapshot) where clock.number == 1 {
      var (id, time) = (UInt64(0), UInt64(0))
      for field in ProtobufFields(clock.bytes) {
        if field.number == 1 { id = field.value }
        if field.number == 2 { time = field.value }
      }
      times[id] = time
    }
    if let wall = times[1], let monotonic = times[3] { clocks = (wall, monotonic) }
  }

  private mutating func read(
    event body: UnsafeRawBufferPointer, at time: UInt64, _ sequence: ThreadNames, _ ends: inout [Event],
    _ cost: inout RecorderCost
  ) {
    var event = Event(time: time, track: sequence.track, isMain: sequence.isMain)
    for field in ProtobufFields(body) {
      switch field.number {
      case 3: event.category = sequence.categories[field.value] ?? ""
      case 4: sequence.annotate(&event.annotations, field.bytes)
      case 9: event.type = field.value
      case 10: event.name = sequence.names[field.value] ?? ""
      case 11: (event.track, event.isAsync) = (field.value, field.value != sequence.track)
      case 22: event.category = field.text
      case 23: event.name = field.text
      default: break
      }
    }
    if event.annotations[LS_KEY_MAIN_ACTOR] != nil { event.isMain = true }
    if (1...3).contains(event.type) { cost.events += 1 }
    if event.name.isEmpty { event.name = Self.noName }
    switch (event.type, event.category, event.name) {
    case (1, _, _), (2, _, _): ends.append(event)
    case (3, LS_CATEGORY_RECORDER, _):
      cost.startup = event.annotations[LS_KEY_STARTUP_COST_NS].flatMap(Double.init) ?? 0
      cost.event = event.annotations[LS_KEY_EVENT_COST_NS].flatMap(Double.init) ?? 0
    case (3, LS_CATEGORY_METADATA, _): metadata.merge(event.annotations) { $1 }
    case (3, LS_CATEGORY_BUDGET, LS_EVENT_OVER_BUDGET):
      guard let start = event.annotations[LS_KEY_START_NS].flatMap(UInt64.init) else { return }
      let name = event.annotations[LS_KEY_INTERVAL] ?? ""
      let flag = Flag(name: name.isEmpty ? Self.noName : name, start: start)
      flags[flag] = event.annotations[LS_KEY_PLACE] ?? ""
    default: break
    }
  }

  // MARK: Slices

  /// Joins begin and end events. Slices of a thread nest; an async track has one slice at a time.
  private mutating func pair(_ ends: [Event]) {
    var open: [UInt64: [Event]] = [:]
    /// Ends of async tracks before any begin. Such a slice may have begun in the same nanosecond.
    var early: [UInt64: Event] = [:]
    for event in Self.inOrder(ends) {
      if event.type == 1 {
        let end = early.removeValue(forKey: event.track)
        if let end, end.time == event.time {
          add(event, until: end)
        } else {
          open[event.track, default: []].append(event)
        }
      } else if let begin = open[event.track]?.popLast() {
        add(begin, until: event)
      } else if event.isAsync {
        early[event.track] = event
      }
    }
    slices.sort { ($0.start, $1.end) < ($1.start, $0.end) }
    openPhases = open.values.joined().filter { $0.category == LS_CATEGORY_PHASE }.map {
      Slice(
        name: $0.name, category: $0.category, start: $0.time, end: .max, isAsync: $0.isAsync, isMain: $0.isMain, cpu: 0)
    }
  }

  /// Events of a thread are in the file in their order. Those of an async track may come from several threads: they are
  /// ordered by time, and a slice ends before the next one begins.
  private static func inOrder(_ ends: [Event]) -> [Event] {
    ends.filter { !$0.isAsync }
      + ends.filter(\.isAsync).sorted { ($0.time, $1.type) < ($1.time, $0.type) }
  }

  private mutating func add(_ begin: Event, until end: Event) {
    slices.append(
      Slice(
        name: begin.name, category: begin.category, start: begin.time, end: max(begin.time, end.time),
        isAsync: begin.isAsync,
        isMain: begin.isMain && (end.isMain || !begin.isAsync),
        cpu: end.annotations[LS_KEY_CPU_NS].flatMap(UInt64.init) ?? 0))
  }
}

extension RecordedEvents.ThreadNames {
  fileprivate mutating func intern(_ data: UnsafeRawBufferPointer) {
    for field in ProtobufFields(data) {
      var (id, text) = (UInt64(0), "")
      for part in ProtobufFields(field.bytes) {
        if part.number == 1 { id = part.value }
        if part.number == 2 { text = part.text }
      }
      switch field.number {
      case 1: categories[id] = text
      case 2: names[id] = text
      case 3: keys[id] = text
      case 29: strings[id] = text
      default: break
      }
    }
  }

  /// `trace_packet_defaults.track_event_defaults.track_uuid`
  fileprivate mutating func readDefaults(_ defaults: UnsafeRawBufferPointer) {
    for event in ProtobufFields(defaults) where event.number == 11 {
      for field in ProtobufFields(event.bytes) where field.number == 11 { track = field.value }
    }
  }

  /// `track_descriptor.thread`: the main thread's id is that of the process.
  fileprivate mutating func readThread(_ descriptor: UnsafeRawBufferPointer) {
    for thread in ProtobufFields(descriptor) where thread.number == 4 {
      var ids: [UInt64: UInt64] = [:]
      for field in ProtobufFields(thread.bytes) { ids[field.number] = field.value }
      isMain = ids[1] != nil && ids[1] == ids[2]
    }
  }

  /// Adds a debug annotation, with its value as text.
  fileprivate func annotate(_ annotations: inout [String: String], _ annotation: UnsafeRawBufferPointer) {
    var (key, value) = ("", "")
    for field in ProtobufFields(annotation) {
      switch field.number {
      case 1: key = keys[field.value] ?? ""
      case 10: key = field.text
      case 2, 3, 4: value = String(field.value)
      case 5: value = String(Double(bitPattern: field.value))
      case 6: value = field.text
      case 17: value = strings[field.value] ?? ""
      default: break
      }
    }
    annotations[key] = value
  }
}
#endif
