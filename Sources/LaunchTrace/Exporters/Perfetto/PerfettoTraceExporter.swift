// SPDX-License-Identifier: Apache-2.0

/// Writes a trace of another tool as a Perfetto trace. Perfetto reads stack samples from no other format that is written here:
/// of Chrome's trace events it ignores them.
///
/// Perfetto counts samples. It does not know their weights.
package struct PerfettoTraceExporter {
  private static let sequence: UInt32 = 1
  /// The clock of a trace's own times, for which trace_processor needs no snapshot of other clocks.
  private static let bootClock: UInt64 = 6
  private static let chunk = 1 << 16

  private let trace: Trace
  /// What is added to each time, ns: Perfetto drops what is before 0.
  package let shift: Int64
  private let hasThreadIDs: Bool
  private var writer = PerfettoTraceWriter()
  private let sink: (UnsafeRawBufferPointer) throws(TraceError) -> Void

  package init(_ trace: Trace, _ sink: @escaping (UnsafeRawBufferPointer) throws(TraceError) -> Void) {
    self.trace = trace
    self.sink = sink
    hasThreadIDs = trace.tracks.contains { $0.threadID != 0 }
    let first = [trace.slices.start, trace.instants.time, trace.counters.time, trace.samples.time].compactMap(\.first)
    shift = max(0, -(first.min() ?? 0))
  }

  /// Writes the trace piece by piece.
  ///
  /// - Throws: what the sink throws.
  package mutating func write() throws(TraceError) {
    writer.startSequence(Self.sequence, track: Self.uuid(track: 0), clock: Self.bootClock, samplePeriod: period)
    for row in trace.processes.indices { describe(process: row) }
    for row in trace.tracks.indices {
      describe(track: row)
      try flush()
    }
    try writeSlices()
    for row in 0..<trace.instants.count {
      writer.instant(
        sequence: Self.sequence, time: trace.instants.time[row] + shift,
        track: Self.uuid(track: trace.instants.track[row]),
        name: string(trace.instants.name[row]), category: string(trace.instants.category[row]),
        annotations: annotations(trace.instants.annotation[row]))
      try flush()
    }
    for row in 0..<trace.counters.count {
      writer.counter(
        sequence: Self.sequence, time: trace.counters.time[row] + shift,
        track: Self.uuid(track: trace.counters.track[row]),
        value: trace.counters.value[row])
      try flush()
    }
    try writeSamples()
    try flush(least: 0)
  }

  private mutating func flush(least: Int = chunk) throws(TraceError) {
    if writer.bytes.count <= least { return }
    try writer.bytes.withUnsafeBufferPointer { chunk throws(TraceError) in try sink(UnsafeRawBufferPointer(chunk)) }
    writer.removeAll()
  }

  // MARK: Names

  private static func uuid(track: Int32) -> UInt64 { UInt64(track) + 1 }
  private static func uuid(process: Int) -> UInt64 { 1 << 32 + UInt64(process) }

  private func string(_ id: UInt32) -> String { trace.strings[StringID(rawValue: id)] }

  private func annotations(_ row: UInt32) -> [(key: String, value: AnnotationValue)] {
    row == 0 ? [] : trace.annotations[row].map { (trace.strings[$0.key], $0.value) }
  }

  /// Ids of a track's process and thread. Perfetto takes thread 0 for an idle processor, as perf does. Each thread needs an
  /// id of its own: of a thread without one, it is made of the row of its track.
  private func ids(_ track: Int32) -> (process: Int32, thread: Int32) {
    guard track >= 0 else { return (Track.firstMadeID, Track.firstMadeID) }
    let thread = trace.tracks[Int(track)].threadID
    let process = trace.tracks[Int(track)].processID
    // perf calls threads that it does not know -1.
    let made = thread < 0 || (thread == 0 && !hasThreadIDs) ? Track.firstMadeID &+ track &+ 1 : thread
    return (process <= 0 ? made : process, made)
  }

  private mutating func describe(process row: Int) {
    let process = trace.processes[row]
    if process.processID <= 0 { return }
    writer.processTrack(uuid: Self.uuid(process: row), processID: process.processID, name: process.name)
  }

  private mutating func describe(track row: Int) {
    let (track, uuid) = (trace.tracks[row], Self.uuid(track: Int32(row)))
    let name = trace.strings[track.name]
    switch track.kind {
    case .thread:
      let ids = ids(Int32(row))
      writer.threadTrack(uuid: uuid, processID: ids.process, threadID: ids.thread, name: name)
    case .counter:
      writer.counterTrack(uuid: uuid, parent: process(of: track), name: name, unit: trace.strings[track.unit])
    case .async, .process: writer.asyncTrack(uuid: uuid, parent: process(of: track), name: name)
    }
  }

  private func process(of track: Track) -> UInt64? {
    guard track.processID > 0 else { return nil }
    return trace.processes.firstIndex { $0.processID == track.processID }.map(Self.uuid(process:))
  }

  // MARK: Events

  /// The slices of a track nest, and come in the order of their start, outer ones first.
  private mutating func writeSlices() throws(TraceError) {
    var open = [[Int64]](repeating: [], count: trace.tracks.count)
    let slices = trace.slices
    for slice in 0..<slices.count {
      let (track, start, duration) = (slices.track[slice], slices.start[slice], slices.duration[slice])
      close(&open[Int(track)], until: start, track)
      writer.begin(
        sequence: Self.sequence, time: start + shift, track: Self.uuid(track: track), name: string(slices.name[slice]),
        category: string(slices.category[slice]), annotations: annotations(slices.annotation[slice]))
      // A slice without an end has that of the slice around it.
      open[Int(track)].append(duration < 0 ? open[Int(track)].last ?? .max : start.addingSaturated(duration))
      try flush()
    }
    for track in open.indices { close(&open[track], until: .max - 1, Int32(track)) }
  }

  private mutating func close(_ ends: inout [Int64], until time: Int64, _ track: Int32) {
    while let end = ends.last, end <= time {
      ends.removeLast()
      writer.end(sequence: Self.sequence, time: end + shift, track: Self.uuid(track: track))
    }
  }

  // MARK: Samples

  /// The usual weight of a sample; nil if weights are counts.
  private var period: Int64? {
    trace.sampleUnit == "ns" ? trace.samples.usualWeight : nil
  }

  private mutating func writeSamples() throws(TraceError) {
    for row in 0..<trace.samples.count where trace.samples.stack[row] >= 0 {
      let ids = ids(trace.samples.track[row])
      writer.sample(
        sequence: Self.sequence, time: trace.samples.time[row] + shift, processID: ids.process, threadID: ids.thread,
        frames: frames(trace.samples.stack[row]))
      try flush()
    }
  }

  /// Deeper stacks keep their innermost frames.
  private static let deepest = 512

  /// The outermost frame first.
  private func frames(_ stack: Int32) -> [StackFrame] {
    var frames: [StackFrame] = []
    var row = Int(stack)
    while row >= 0, frames.count < Self.deepest {
      let frame = trace.stacks[row]
      let function = string(frame.function)
      frames.append(
        StackFrame(
          function: function.isEmpty ? "0x" + String(frame.address, radix: 16) : function, image: string(frame.image),
          buildID: string(frame.buildID), address: frame.address, file: string(frame.file), line: frame.line))
      row = Int(trace.stacks.caller[row])
    }
    return frames.reversed()
  }
}
