// SPDX-License-Identifier: Apache-2.0

/// The document that `ChromeTraceExporter` writes.
struct ChromeTraceDocument {
  private let trace: Trace
  private var text: JSONText
  private var isFirst = true
  /// Counters whose process has another one of this name, as two threads may.
  private let repeatedCounters: Set<Int32>
  /// Tracks with a slice that has no end. Its category keeps it from the ends of the slices around it.
  private let unfinishedTracks: Set<Int32>

  init(_ trace: Trace, _ sink: @escaping (UnsafeRawBufferPointer) throws(TraceError) -> Void) {
    self.trace = trace
    repeatedCounters = Self.repeatedCounters(trace.tracks)
    unfinishedTracks = Set(
      (0..<trace.slices.count).filter { trace.slices.duration[$0] < 0 }.map { trace.slices.track[$0] })
    text = JSONText(sink)
  }

  mutating func write() throws(TraceError) {
    text.raw("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
    try writeNames()
    for slice in 0..<trace.slices.count {
      writeSlice(slice)
      try text.flush(force: false)
    }
    for row in 0..<trace.instants.count {
      writeInstant(row)
      try text.flush(force: false)
    }
    for row in 0..<trace.counters.count {
      writeCounter(row)
      try text.flush(force: false)
    }
    // speedscope does not open a file without any event.
    if isFirst, trace.samples.count > 0 { metadata("process_name", trace.tracks.first?.processID ?? 0, nil, "program") }
    text.raw("\n]")
    try writeSamples()
    text.raw("}\n")
    try text.flush()
  }

  // MARK: Names

  private mutating func writeNames() throws(TraceError) {
    for process in trace.processes where !process.name.isEmpty {
      metadata("process_name", process.processID, nil, process.name)
      try text.flush(force: false)
    }
    for track in trace.tracks where track.kind == .thread && track.name != .empty {
      metadata("thread_name", track.processID, track.threadID, trace.strings[track.name])
      try text.flush(force: false)
    }
  }

  private mutating func metadata(_ kind: StaticString, _ processID: Int32, _ threadID: Int32?, _ name: String) {
    begin("M", processID, threadID)
    text.raw(",\"name\":\"")
    text.raw(kind)
    text.raw("\",\"args\":{\"name\":")
    text.string(name)
    text.raw("}}")
  }

  private static func repeatedCounters(_ tracks: [Track]) -> Set<Int32> {
    struct Name: Hashable { var process: Int32, name: StringID, unit: StringID }
    var (first, repeated): ([Name: Int32], Set<Int32>) = ([:], [])
    for (row, track) in tracks.enumerated() where track.kind == .counter {
      let (row, name) = (Int32(row), Name(process: track.processID, name: track.name, unit: track.unit))
      if let other = first[name] { repeated.formUnion([other, row]) } else { first[name] = row }
    }
    return repeated
  }

  // MARK: Events

  private mutating func begin(_ phase: StaticString, _ processID: Int32, _ threadID: Int32?) {
    text.raw(isFirst ? "\n" : ",\n")
    isFirst = false
    text.raw("{\"ph\":\"")
    text.raw(phase)
    text.raw("\",\"pid\":")
    id(processID)
    if let threadID {
      text.raw(",\"tid\":")
      id(threadID)
    }
  }

  /// Others take negative ids, such as -1 of perf, for 0.
  private mutating func id(_ id: Int32) { text.integer(UInt32(bitPattern: id)) }

  private mutating func writeSlice(_ slice: SliceIndex) {
    let track = trace.tracks[Int(trace.slices.track[slice])]
    let duration = trace.slices.duration[slice]
    let start = trace.slices.start[slice]
    if track.kind == .thread {
      begin(duration < 0 ? "B" : "X", track.processID, track.threadID)
      time(start)
      if duration >= 0 {
        text.raw(",\"dur\":")
        text.microseconds(duration)
      }
      name(trace.slices.name[slice], trace.slices.category[slice])
      arguments(trace.slices.annotation[slice])
      text.raw("}")
      return
    }
    let threads = trace.slices.asyncThreads[slice]
    asyncEdge("b", slice, track, start, threads?.begin)
    arguments(trace.slices.annotation[slice])
    text.raw("}")
    if duration >= 0 {
      asyncEdge("e", slice, track, start.addingSaturated(duration), threads?.end)
      text.raw("}")
    }
  }

  /// One end of an async slice; the track's number is the id. Without a scope, each category would be a track.
  private mutating func asyncEdge(
    _ phase: StaticString, _ slice: SliceIndex, _ track: Track, _ moment: Int64, _ thread: Int32?
  ) {
    begin(phase, track.processID, threadID(thread))
    time(moment)
    text.raw(",\"id\":\"")
    text.integer(trace.slices.track[slice])
    if !unfinishedTracks.contains(trace.slices.track[slice]) {
      text.raw("\",\"scope\":\"")
      text.raw(LegacyTracks.launchprofScope)
    }
    text.raw("\"")
    name(trace.slices.name[slice], trace.slices.category[slice])
  }

  private func threadID(_ track: Int32?) -> Int32? {
    guard let track, track >= 0, Int(track) < trace.tracks.count else { return nil }
    return trace.tracks[Int(track)].threadID
  }

  private mutating func writeInstant(_ row: Int) {
    let track = trace.tracks[Int(trace.instants.track[row])]
    begin("i", track.processID, track.kind == .thread ? track.threadID : nil)
    text.raw(track.kind == .thread ? ",\"s\":\"t\"" : track.processID != 0 ? ",\"s\":\"p\"" : ",\"s\":\"g\"")
    time(trace.instants.time[row])
    name(trace.instants.name[row], trace.instants.category[row])
    arguments(trace.instants.annotation[row])
    text.raw("}")
  }

  private mutating func writeCounter(_ row: Int) {
    let track = trace.tracks[Int(trace.counters.track[row])]
    begin("C", track.processID, nil)
    time(trace.counters.time[row])
    // The format knows a counter by its name.
    if repeatedCounters.contains(trace.counters.track[row]) {
      text.raw(",\"id\":\"")
      text.integer(trace.counters.track[row])
      text.raw("\"")
    }
    text.raw(",\"name\":")
    text.string(trace.strings[track.name])
    text.raw(",\"args\":{")
    text.string(track.unit == .empty ? "value" : trace.strings[track.unit])
    text.raw(":")
    text.double(trace.counters.value[row])
    text.raw("}}")
  }

  private mutating func time(_ nanoseconds: Int64) {
    text.raw(",\"ts\":")
    text.microseconds(nanoseconds)
  }

  private mutating func name(_ name: UInt32, _ category: UInt32) {
    text.raw(",\"name\":")
    text.string(trace.strings[StringID(rawValue: name)])
    text.raw(",\"cat\":")
    text.string(trace.strings[StringID(rawValue: category)])
  }

  private mutating func arguments(_ row: UInt32) {
    if row == 0 { return }
    text.raw(",\"args\":{")
    for (place, entry) in trace.annotations[row].enumerated() {
      if place > 0 { text.raw(",") }
      text.string(trace.strings[entry.key])
      text.raw(":")
      text.value(entry.value)
    }
    text.raw("}")
  }

  // MARK: Samples

  /// Stack samples, as the format's `stackFrames` and `samples`. The format has no files, lines and processes in them, and
  /// does not say what their weights count.
  private mutating func writeSamples() throws(TraceError) {
    if trace.samples.count == 0 { return }
    text.raw(",\"stackFrames\":{")
    for row in 0..<trace.stacks.count {
      text.raw(row == 0 ? "\n\"" : ",\n\"")
      text.integer(row)
      text.raw("\":{\"category\":")
      text.string(trace.strings[StringID(rawValue: trace.stacks[row].image)])
      text.raw(",\"name\":")
      text.string(trace.name(ofFrame: row))
      place(trace.stacks[row])
      if trace.stacks.caller[row] >= 0 {
        text.raw(",\"parent\":\"")
        text.integer(trace.stacks.caller[row])
        text.raw("\"")
      }
      text.raw("}")
      try text.flush(force: false)
    }
    text.raw("\n},\"samples\":[")
    for row in 0..<trace.samples.count {
      text.raw(row == 0 ? "\n" : ",\n")
      writeSample(row)
      try text.flush(force: false)
    }
    text.raw("\n],\"otherData\":{\"sampleUnit\":")
    text.string(trace.sampleUnit)
    if !trace.hasTimes { text.raw(",\"samplesHaveNoTimes\":true") }
    if trace.samplesWaits { text.raw(",\"samplesIncludeWaits\":true") }
    text.raw("}")
  }

  private mutating func writeSample(_ row: Int) {
    text.raw("{\"cpu\":0,\"tid\":")
    let track = Int(trace.samples.track[row])
    if track >= 0 {
      id(trace.tracks[track].threadID)
      text.raw(",\"pid\":")
      id(trace.tracks[track].processID)
    } else {
      text.raw("0")
    }
    time(trace.samples.time[row])
    text.raw(",\"name\":\"sample\"")
    if trace.samples.stack[row] >= 0 {
      text.raw(",\"sf\":\"")
      text.integer(trace.samples.stack[row])
      text.raw("\"")
    }
    text.raw(",\"weight\":")
    text.integer(trace.samples.weight[row])
    text.raw("}")
  }

  private mutating func place(_ frame: StackTable.Frame) {
    let file = StringID(rawValue: frame.file)
    if file == .empty { return }
    text.raw(",\"file\":")
    text.string(trace.strings[file])
    if frame.line > 0 {
      text.raw(",\"line\":")
      text.integer(frame.line)
    }
  }
}
