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
    var end: UInt64
    /// Of its thread, or its own.
    let track: UInt64
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
  /// Phases and intervals that have not ended; their end is UInt64.max.
  private(set) var openSlices: [Slice] = []
  /// The wall clock and CLOCK_MONOTONIC when recording began, ns; nil if the trace does not have them.
  private(set) var clocks: (wall: UInt64, monotonic: UInt64)?
  /// The time that the recorder took, as it measured it, ns.
  var recorderCost: Double { cost.startup + cost.event * Double(cost.events) }
  /// `awaited` if the launch waited for it, `elsewhere` if it ran on another thread, empty for the main thread.
  private(set) var flags: [Flag: String] = [:]
  /// The last value of each key.
  private(set) var metadata: [String: String] = [:]

  /// What has begun and not ended, of each thread.
  private var open: [UInt64: [End]] = [:]
  private var asyncEnds: [End] = []
  /// ns for the start, ns for one event, and how many there are.
  private var cost = (startup: 0.0, event: 0.0, events: 0)

  /// - Parameter limit: CLOCK_MONOTONIC, ns. Later events do not count.
  init(_ trace: [UInt8], until limit: UInt64 = .max) {
    trace.withUnsafeBytes { bytes in
      var sequences: [UInt64: ThreadNames] = [:]
      for field in ProtobufFields(bytes) where field.number == 1 { read(field.bytes, &sequences, until: limit) }
    }
    pairAsync()
    openSlices = open.values.joined().map { $0.slice(until: nil) }
    slices.sort { ($0.start, $1.end) < ($1.start, $0.end) }
    (open, asyncEnds) = ([:], [])
  }

  // MARK: Packets

  /// One end of a slice. Those of one launch may be many, so this is small.
  private struct End {
    let time: UInt64
    let track: UInt64
    let name: String
    let category: String
    let cpu: UInt64
    let isBegin: Bool
    let isAsync: Bool
    let isMain: Bool

    /// From this begin to that end; nil: it has not ended.
    func slice(until end: End?) -> Slice {
      Slice(
        name: name, category: category, start: time, end: end.map { max(time, $0.time) } ?? .max, track: track,
        isAsync: isAsync, isMain: isMain && (end?.isMain ?? true || !isAsync), cpu: end?.cpu ?? 0)
    }
  }

  /// The names that a thread's sequence has given to the numbers in its events.
  fileprivate final class ThreadNames {
    var track: UInt64 = 0
    var isMain = false
    var names: [UInt64: String] = [:]
    var categories: [UInt64: String] = [:]
    var keys: [UInt64: String] = [:]
    var strings: [UInt64: String] = [:]
  }

  private mutating func read(
    _ packet: UnsafeRawBufferPointer, _ sequences: inout [UInt64: ThreadNames], until limit: UInt64
  ) {
    var (time, id, body) = (UInt64(0), UInt64(0), UnsafeRawBufferPointer?.none)
    var (isReset, describes) = (false, false)
    for field in ProtobufFields(packet) {
      switch field.number {
      case 6 where clocks == nil: readClocks(field.bytes)
      case 8: time = field.value
      case 10: id = field.value
      case 11: body = field.bytes
      case 12, 59, 60: describes = true
      case 13: isReset = field.value & 1 != 0
      default: break
      }
    }
    if isReset { sequences[id] = ThreadNames() }
    if describes {
      let sequence = sequences[id] ?? ThreadNames()
      sequences[id] = sequence
      sequence.describe(packet)
    }
    if let body, time <= limit, let sequence = sequences[id] { read(event: body, at: time, sequence) }
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

  private mutating func read(event body: UnsafeRawBufferPointer, at time: UInt64, _ sequence: ThreadNames) {
    var (type, track, name, category) = (UInt64(0), sequence.track, "", "")
    var hasAnnotations = false
    for field in ProtobufFields(body) {
      switch field.number {
      case 3: category = sequence.categories[field.value] ?? ""
      case 4: hasAnnotations = true
      case 9: type = field.value
      case 10: name = sequence.names[field.value] ?? ""
      case 11: track = field.value
      case 22: category = field.text
      case 23: name = field.text
      default: break
      }
    }
    guard (1...3).contains(type) else { return }
    cost.events += 1
    if name.isEmpty { name = Self.noName }
    // Most events have none.
    let annotations = hasAnnotations ? sequence.annotations(of: body) : [:]
    if type == 3 { return readInstant(name, category, annotations) }
    add(
      End(
        time: time, track: track, name: name, category: category,
        cpu: annotations[LS_KEY_CPU_NS].flatMap(UInt64.init) ?? 0, isBegin: type == 1,
        isAsync: track != sequence.track, isMain: sequence.isMain || annotations[LS_KEY_MAIN_ACTOR] != nil))
  }

  private mutating func readInstant(_ name: String, _ category: String, _ annotations: [String: String]) {
    switch (category, name) {
    case (LS_CATEGORY_RECORDER, _):
      cost.startup = annotations[LS_KEY_STARTUP_COST_NS].flatMap(Double.init) ?? 0
      cost.event = annotations[LS_KEY_EVENT_COST_NS].flatMap(Double.init) ?? 0
    case (LS_CATEGORY_METADATA, _): metadata.merge(annotations) { $1 }
    case (LS_CATEGORY_BUDGET, LS_EVENT_OVER_BUDGET):
      guard let start = annotations[LS_KEY_START_NS].flatMap(UInt64.init) else { return }
      let name = annotations[LS_KEY_INTERVAL] ?? ""
      flags[Flag(name: name.isEmpty ? Self.noName : name, start: start)] = annotations[LS_KEY_PLACE] ?? ""
    default: break
    }
  }

  // MARK: Slices

  /// Events of a thread are in the file in their order, and its slices nest. Those of an async track may come from several
  /// threads.
  private mutating func add(_ end: End) {
    if end.isAsync {
      asyncEnds.append(end)
    } else if end.isBegin {
      open[end.track, default: []].append(end)
    } else if let begin = open[end.track]?.popLast() {
      slices.append(begin.slice(until: end))
    }
  }

  /// An async track has one slice at a time. It ends before the next one begins.
  private mutating func pairAsync() {
    asyncEnds.sort { ($0.time, $0.isBegin ? 2 : 1) < ($1.time, $1.isBegin ? 2 : 1) }
    /// Ends before any begin. Such a slice may have begun in the same nanosecond.
    var early: [UInt64: End] = [:]
    for event in asyncEnds {
      if event.isBegin {
        let end = early.removeValue(forKey: event.track)
        if let end, end.time == event.time {
          slices.append(event.slice(until: end))
        } else {
          open[event.track, default: []].append(event)
        }
      } else if let begin = open[event.track]?.popLast() {
        slices.append(begin.slice(until: event))
      } else {
        early[event.track] = event
      }
    }
  }
}

extension RecordedEvents.ThreadNames {
  /// Reads what a packet says about the thread's names, and about the thread itself.
  fileprivate func describe(_ packet: UnsafeRawBufferPointer) {
    for field in ProtobufFields(packet) {
      switch field.number {
      case 12: intern(field.bytes)
      case 59: readDefaults(field.bytes)
      case 60: readThread(field.bytes)
      default: break
      }
    }
  }

  private func intern(_ data: UnsafeRawBufferPointer) {
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
  private func readDefaults(_ defaults: UnsafeRawBufferPointer) {
    for event in ProtobufFields(defaults) where event.number == 11 {
      for field in ProtobufFields(event.bytes) where field.number == 11 { track = field.value }
    }
  }

  /// `track_descriptor.thread`: the main thread's id is that of the process.
  private func readThread(_ descriptor: UnsafeRawBufferPointer) {
    for thread in ProtobufFields(descriptor) where thread.number == 4 {
      var ids: [UInt64: UInt64] = [:]
      for field in ProtobufFields(thread.bytes) { ids[field.number] = field.value }
      isMain = ids[1] != nil && ids[1] == ids[2]
    }
  }

  /// The debug annotations of an event, with their values as text.
  fileprivate func annotations(of event: UnsafeRawBufferPointer) -> [String: String] {
    var annotations: [String: String] = [:]
    for annotation in ProtobufFields(event) where annotation.number == 4 {
      var (key, value) = ("", "")
      for field in ProtobufFields(annotation.bytes) {
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
    return annotations
  }
}
#endif
