// SPDX-License-Identifier: Apache-2.0

extension ChromeJSONReader {
  /// The name under which objects that are not events are counted.
  static let noPhase = "events with no phase"
  /// Bytes of a counter's name, and of the names of all counters of an event.
  private static let longestCounter = 1024
  private static let longestCounters = 1 << 14

  mutating func read(_ event: ChromeEvent) {
    guard event.phase != 0 else { return builder.ignored(Self.noPhase) }
    let processID = processID(event.processID)
    let threadID = threadID(event.threadID, ofProcess: processID, isOfThread: isOfThread(event))
    if event.time == nil, event.phase != UInt8(ascii: "M") { return builder.ignored("events with no time") }
    let thread = thread(threadID, processID, event.threadID)
    if let profile = event.wholeProfile { return samples.read(whole: profile, thread: thread, &builder) }
    switch event.phase {
    case UInt8(ascii: "B"): add(event, .begin, thread)
    case UInt8(ascii: "E"): add(event, .end, thread)
    case UInt8(ascii: "X"):
      guard let duration = event.duration, duration >= 0 else {
        return builder.ignored("complete events with no duration")
      }
      add(event, .slice, thread, duration: duration)
    case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "R"): readInstant(event, thread, processID)
    case UInt8(ascii: "b"), UInt8(ascii: "e"), UInt8(ascii: "n"): readAsync(event, thread, processID)
    case UInt8(ascii: "C"): readCounter(event, processID)
    case UInt8(ascii: "M"): readMetadata(event, thread, processID)
    case UInt8(ascii: "P"): readProfile(event, thread, processID)
    // Flows are arrows between slices.
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"): break
    default: skip(event)
    }
  }

  private mutating func skip(_ event: ChromeEvent) {
    builder.skipped("events of phase \(Character(Unicode.Scalar(event.phase)))")
  }

  private mutating func readProfile(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    switch text(event.name) {
    case "Profile": samples.read(.begin, event, processID: processID, thread: thread, &builder)
    case "ProfileChunk": samples.read(.chunk, event, processID: processID, thread: thread, &builder)
    default: skip(event)
    }
  }

  /// An element of `samples`. The format has no process in it; launchprof writes one.
  mutating func readSample(_ sample: ChromeEvent) {
    var track: TrackID?
    if sample.processID.isPresent {
      let processID = processID(sample.processID)
      track = thread(
        threadID(sample.threadID, ofProcess: processID, isOfThread: true), processID, sample.threadID)
    } else {
      let threadID = threadID(sample.threadID)
      if threadID != 0 { track = builder.thread(threadID) }
    }
    samples.add(sample, thread: track, &builder)
  }

  private mutating func thread(_ threadID: Int32, _ processID: Int32, _ text: ChromeEvent.Text) -> TrackID {
    if let last, last.threadID == threadID, last.processID == processID { return last.track }
    let track = builder.thread(threadID, ofProcess: processID)
    let row = Int(track.rawValue)
    // An id that the reader made says nothing, so what the file calls the thread is its name until it gives one.
    if track != builder.beyond, builder.trace.tracks[row].hasMadeID, builder.trace.tracks[row].name == .empty {
      builder.trace.tracks[row].name = name(ofThread: text)
    }
    last = (processID, threadID, track)
    return track
  }

  private mutating func readInstant(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    switch event.scope {
    case UInt8(ascii: "g"): add(event, .instant, tracks.instants(ofProcess: nil, &builder))
    case UInt8(ascii: "p") where event.processID.isPresent:
      add(event, .instant, tracks.instants(ofProcess: processID, &builder))
    case 0 where event.threadID.isPresent, UInt8(ascii: "t") where event.threadID.isPresent:
      add(event, .instant, thread)
    default: builder.ignored("instants of no track")
    }
  }

  private mutating func readAsync(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    let isLocal = !event.id.isPresent && !event.globalID.isPresent
    let id = event.anyID
    guard event.processID.isPresent, id.isPresent else { return builder.ignored("async events with no id") }
    let key = LegacyTracks.AsyncKey(
      id: UInt64(string(id).rawValue), processID: isLocal ? processID : nil,
      scope: event.hasOwnScope ? .empty : string(event.category))
    let track = tracks.async(key, name: string(event.name), processID: processID, &builder)
    let kind: DeferredEvent.Kind =
      switch event.phase {
      case UInt8(ascii: "b"): .begin
      case UInt8(ascii: "e"): .end
      default: .instant
      }
    add(event, kind, track, thread: event.threadID.isPresent ? thread : nil)
  }

  private mutating func add(
    _ event: ChromeEvent, _ kind: DeferredEvent.Kind, _ track: TrackID, duration: Int64 = SliceTable.unfinished,
    thread: TrackID? = nil
  ) {
    var annotation: UInt32 = 0
    if let arguments = event.arguments { annotation = ChromeArguments.row(arguments, &builder) }
    var name = string(event.name)
    // An end event without a name matches any slice. Other events get a name.
    if name == .empty, kind != .end { name = builder.string("[No name]") }
    events.append(
      DeferredEvent(
        kind, event.time ?? 0, duration: duration, track, thread: thread, name: name,
        category: string(event.category), annotation: annotation))
  }

  /// Every member of the arguments is a separate counter.
  private mutating func readCounter(_ event: ChromeEvent, _ processID: Int32) {
    guard let arguments = event.arguments else { return builder.ignored("counter events with no value") }
    var prefix = text(event.name)
    if case .string = event.id { prefix += " id: " + text(event.id) }
    let numbers = ChromeArguments.numbers(arguments)
    // Each member repeats it.
    if prefix.utf8.count > Self.longestCounter || prefix.utf8.count * numbers.count > Self.longestCounters {
      return builder.ignored("counters with a very long name")
    }
    for (key, value) in numbers {
      let track = tracks.counter(prefix + " " + key, unit: "", of: builder.process(processID), &builder)
      builder.counter(track: track, time: event.time ?? 0, value: value)
    }
  }

  private mutating func readMetadata(_ event: ChromeEvent, _ thread: TrackID, _ processID: Int32) {
    let kind = text(event.name)
    guard kind == "thread_name" || kind == "process_name", let arguments = event.arguments,
      let name = JSONView(bytes: arguments)["name"]?.string, !name.isEmpty
    else { return }
    if kind == "process_name" {
      _ = builder.process(processID, name: name)
    } else if thread != builder.beyond {
      builder.trace.tracks[Int(thread.rawValue)].name = builder.string(name)
    }
  }

  // MARK: Ids and strings

  mutating func string(_ text: ChromeEvent.Text) -> StringID { text.intern(&builder.trace.strings) }

  private mutating func text(_ text: ChromeEvent.Text) -> String {
    let id = string(text)
    return builder.trace.strings[id]
  }

  private mutating func name(ofThread text: ChromeEvent.Text) -> StringID {
    if case .number(let bytes) = text { return builder.string("thread " + String(decoding: bytes, as: UTF8.self)) }
    return string(text)
  }

  private mutating func processID(_ text: ChromeEvent.Text) -> Int32 {
    if case .none = text { return 0 }
    if case .number(let bytes) = text, let id = JSONValues.id(bytes) { return id }
    let id = Track.madeID(string(text))
    _ = builder.process(id, name: self.text(text))
    return id
  }

  /// Events without a thread are of the main thread. Many programs number their threads from 0 on, and their process is 1: then
  /// thread 1 is another one. The main thread is the one of both that comes first.
  /// - Parameter isOfThread: the event says that there is such a thread.
  private mutating func threadID(
    _ text: ChromeEvent.Text, ofProcess processID: Int32, isOfThread: Bool
  ) -> Int32 {
    if case .none = text { return processID }
    let id = threadID(text)
    guard id == 0 || id == processID, processID != 0 else { return id }
    let main = mainThreads[processID] ?? id
    if isOfThread { mainThreads[processID] = main }
    return id == main ? processID : Track.madeID(string(text))
  }

  /// Many tools write thread 0 into events of a process: its name, its counters, its async events.
  private mutating func isOfThread(_ event: ChromeEvent) -> Bool {
    switch event.phase {
    case UInt8(ascii: "B"), UInt8(ascii: "E"), UInt8(ascii: "X"): true
    case UInt8(ascii: "M"): text(event.name) == "thread_name"
    default: false
    }
  }

  private mutating func threadID(_ text: ChromeEvent.Text) -> Int32 {
    if case .none = text { return 0 }
    if case .number(let bytes) = text, let id = JSONValues.id(bytes) { return id }
    return Track.madeID(string(text))
  }
}
