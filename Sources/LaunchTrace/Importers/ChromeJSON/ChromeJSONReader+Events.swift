// SPDX-License-Identifier: Apache-2.0

/// An event that will be sorted by time.
struct ChromeRow {
  var time: Int64
  /// Nanoseconds; only for complete events.
  var duration: Int64
  var track: Int32
  /// The thread that wrote an event of another track; -1 if there is none.
  var thread: Int32
  var name: UInt32
  var category: UInt32
  var annotation: UInt32
  var phase: UInt8
}

extension ChromeJSONReader {
  /// The name under which objects that are not events are counted.
  static let noPhase = "events with no phase"

  mutating func read(_ event: ChromeEvent) {
    guard event.phase != 0 else { return builder.skipped(Self.noPhase) }
    let processID = processID(event.processID)
    var threadID = threadID(event.threadID)
    if threadID == 0 { threadID = processID }
    if event.time == nil, event.phase != UInt8(ascii: "M") { return builder.skipped("events with no time") }
    let thread = tracks.thread(threadID, processID, &builder)
    switch event.phase {
    case UInt8(ascii: "B"), UInt8(ascii: "E"): add(event, thread)
    case UInt8(ascii: "X"):
      guard let duration = event.duration, duration >= 0 else {
        return builder.skipped("complete events with no duration")
      }
      add(event, thread, duration: duration)
    case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "R"): readInstant(event, thread, processID)
    case UInt8(ascii: "b"), UInt8(ascii: "e"), UInt8(ascii: "n"): readAsync(event, thread, processID)
    case UInt8(ascii: "C"): readCounter(event, processID)
    case UInt8(ascii: "M"): readMetadata(event, thread, processID)
    // Flows are arrows between slices.
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"): break
    default: builder.skipped("events of phase \(Character(Unicode.Scalar(event.phase)))")
    }
  }

  private mutating func readInstant(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    switch event.scope {
    case UInt8(ascii: "g"): add(event, tracks.instants(ofProcess: nil, &builder), thread: thread)
    case UInt8(ascii: "p") where event.processID.isPresent:
      add(event, tracks.instants(ofProcess: processID, &builder), thread: thread)
    case 0 where event.threadID.isPresent, UInt8(ascii: "t") where event.threadID.isPresent: add(event, thread)
    default: builder.skipped("instants of no track")
    }
  }

  private mutating func readAsync(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    let isLocal = !event.id.isPresent && !event.globalID.isPresent
    let id = event.id.isPresent ? event.id : isLocal ? event.localID : event.globalID
    guard event.processID.isPresent, id.isPresent else { return builder.skipped("async events with no id") }
    let track = tracks.async(
      id: string(id), category: string(event.category), name: string(event.name), processID: processID,
      isLocal: isLocal, &builder)
    add(event, track, thread: thread)
  }

  private mutating func add(
    _ event: ChromeEvent, _ track: TrackID, duration: Int64 = SliceTable.unfinished, thread: TrackID? = nil
  ) {
    var annotation: UInt32 = 0
    if let arguments = event.arguments { annotation = ChromeArguments.row(arguments, &builder) }
    var name = string(event.name)
    // An end event without a name matches any slice. Other events get a name.
    if name == .empty, event.phase != UInt8(ascii: "E"), event.phase != UInt8(ascii: "e") {
      name = builder.string("[No name]")
    }
    events.append(
      ChromeRow(
        time: event.time ?? 0, duration: duration, track: track.rawValue, thread: thread?.rawValue ?? -1,
        name: name.rawValue, category: string(event.category).rawValue, annotation: annotation, phase: event.phase))
  }

  /// Every member of the arguments is a separate counter.
  private mutating func readCounter(_ event: ChromeEvent, _ processID: Int32) {
    guard let arguments = event.arguments else { return builder.skipped("counter events with no value") }
    var prefix = text(event.name)
    if case .string = event.id { prefix += " id: " + text(event.id) }
    for (key, value) in ChromeArguments.numbers(arguments) {
      let track = tracks.counter(builder.string(prefix + " " + key), processID: processID, &builder)
      builder.counter(track: track, time: event.time ?? 0, value: value)
    }
  }

  private mutating func readMetadata(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    let kind = text(event.name)
    guard kind == "thread_name" || kind == "process_name", let arguments = event.arguments,
      let name = ChromeArguments.string("name", in: arguments), !name.isEmpty
    else { return }
    if kind == "process_name" {
      _ = builder.process(processID, name: name)
    } else {
      builder.trace.tracks[Int(thread.rawValue)].name = builder.string(name)
    }
  }

  // MARK: Ids and strings

  mutating func string(_ text: ChromeEvent.Text) -> StringID {
    switch text {
    case .none: .empty
    case .number(let bytes): builder.trace.strings.intern(utf8: bytes)
    case .string(let bytes, let isEscaped):
      isEscaped
        ? JSONEscapes.decoded(bytes).withUnsafeBytes { builder.trace.strings.intern(utf8: $0) }
        : builder.trace.strings.intern(utf8: bytes)
    }
  }

  private mutating func text(_ text: ChromeEvent.Text) -> String {
    let id = string(text)
    return builder.trace.strings[id]
  }

  private mutating func processID(_ text: ChromeEvent.Text) -> Int32 {
    switch text {
    case .none: return 0
    case .number(let bytes): return JSONValues.id(bytes) ?? 0
    case .string:
      let id = Self.id(ofName: string(text))
      _ = builder.process(id, name: self.text(text))
      return id
    }
  }

  private mutating func threadID(_ text: ChromeEvent.Text) -> Int32 {
    switch text {
    case .none: return 0
    case .number(let bytes): return JSONValues.id(bytes) ?? 0
    case .string: return Self.id(ofName: string(text))
    }
  }

  /// Some writers use names as ids. They get an id that no system uses.
  private static func id(ofName name: StringID) -> Int32 { Int32(truncatingIfNeeded: 0x4000_0000 | name.rawValue) }

  // MARK: In the order of time

  mutating func applyEvents() {
    let rows = order(of: events.map(\.time))
    var place = 0
    while place < events.count {
      // Complete events that begin together: the longest is the outermost.
      var end = place + 1
      let first = row(place, rows)
      if events[first].phase == UInt8(ascii: "X") {
        while end < events.count, events[row(end, rows)].time == events[first].time,
          events[row(end, rows)].phase == UInt8(ascii: "X")
        {
          end += 1
        }
      }
      if end == place + 1 {
        apply(events[first])
      } else {
        let together = (place..<end).map { row($0, rows) }
        for row in together.sorted(by: { (-events[$0].duration, $0) < (-events[$1].duration, $1) }) {
          apply(events[row])
        }
      }
      place = end
    }
    events = []
  }

  private func row(_ place: Int, _ rows: [Int32]?) -> Int { rows.map { Int($0[place]) } ?? place }

  private mutating func apply(_ row: ChromeRow) {
    let track = TrackID(rawValue: row.track)
    let name = StringID(rawValue: row.name)
    let category = StringID(rawValue: row.category)
    let thread = row.thread < 0 ? nil : TrackID(rawValue: row.thread)
    switch row.phase {
    case UInt8(ascii: "B"), UInt8(ascii: "b"), UInt8(ascii: "X"):
      builder.begin(
        track: track, time: row.time, duration: row.duration, name: name, category: category, thread: thread,
        annotation: row.annotation)
    case UInt8(ascii: "E"), UInt8(ascii: "e"):
      builder.end(
        track: track, time: row.time, name: name, category: category, thread: thread, annotation: row.annotation)
    default:
      builder.instant(track: track, time: row.time, name: name, category: category, annotation: row.annotation)
    }
  }
}
