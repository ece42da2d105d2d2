// SPDX-License-Identifier: Apache-2.0

/// Reads a Perfetto trace: packets in the order of the file, with the meaning that trace_processor gives them.
///
/// Events of thread tracks mostly lie in the file in the order of time and go straight into the builder. Those of other
/// tracks may be begun and ended by several sequences, whose chunks lie in any order: they are kept and sorted at the
/// end. Where that guess is wrong, the file is read a second time, with every event sorted.
struct PerfettoReader {
  enum Mode {
    /// As above.
    case direct
    /// Only what describes: clocks and tracks.
    case describing
    /// Everything is sorted; what `describing` found is known from the start.
    case sorting
  }

  let mode: Mode
  /// Every event is kept and sorted.
  var isSorting: Bool
  var builder = TraceBuilder(format: .perfetto)
  var sequences: [SequenceState] = []
  var sequenceRows: [UInt32: Int] = [:]
  var lastSequence = -1
  var clocks = ClockTable()
  /// The clocks at the end of the file, once that was read: for events that come before the snapshots that they need.
  var clocksAtEnd: ClockTable?
  var descriptors = TrackDescriptors()
  var legacy = LegacyTracks()
  var gpu = GPUCounters()
  var names = NamePriorities()
  /// Names of threads, by the uuid of their track, that came before the descriptors of what they lie under.
  var earlyNames: [UInt64: StringID] = [:]
  var deferred = DeferredEvents()
  /// Threads that kernel events were of: they are threads of the trace, also when nothing else is known of them.
  var ftraceThreads: Set<Int32> = []
  var scheduling = SchedulingState()
  /// Ids of threads that the kernel has said to begin or end: another beginning is of another thread.
  var startedThreads: Set<Int32> = []
  /// Found in `direct` mode: the file has to be read again.
  var mustSort = false
  /// Where the current packet begins in the file.
  var offset = 0
  /// How much of the file was read, and how much of its content was within compressed packets.
  var stored = 0
  var decompressed = 0
  var isWithinPacket = false
  var search = PacketSearch()

  /// More than one compressed packet holds: writers begin a new one after some hundred KB.
  static let largestBlock = 1 << 26
  /// More sequences than any trace has writers.
  static let mostSequences = 1 << 16

  init(mode: Mode) {
    self.mode = mode
    isSorting = mode == .sorting
    builder.limitEvents()
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let size = input.fileSize
    var reader = PerfettoReader(mode: .direct)
    reader.reserve(forFileOf: size)
    try reader.readPackets(input)
    if !reader.mustSort { return reader.finish() }
    var describing = PerfettoReader(mode: .describing)
    try describing.readPackets(try again())
    var sorting = PerfettoReader(mode: .sorting)
    sorting.reserve(forFileOf: size)
    sorting.descriptors = describing.descriptors
    sorting.descriptors.forgetTracks()
    sorting.builder.trace.strings = describing.builder.trace.strings
    sorting.clocksAtEnd = describing.clocks
    try sorting.readPackets(try again())
    return sorting.finish()
  }

  /// Reserves room: an array that grows is there twice. Room that is not used costs address space only.
  private mutating func reserve(forFileOf size: Int) {
    // A slice takes 40 bytes or more.
    builder.reserve(slices: min(4_000_000, size / 40))
    // What an observer adds takes 60 bytes or more.
    builder.reserve(observed: min(2_000_000, size / 60))
    // An event that waits for others may take ten bytes.
    deferred.reserve(size / 8)
  }

  /// Mutating: a reader that is consumed may be copied first, and then each column that is written is there twice.
  mutating func finish() -> Trace {
    applyEarlyNames()
    applyDeferred()
    builder.trace.clock = Int32(clamping: clocks.primary.id)
    // What only reading needs makes room for sorting.
    sequences.removeAll()
    var finished = TraceBuilder(format: builder.trace.format)
    swap(&finished, &builder)
    return finished.finish()
  }

  /// Notes a defect of the file.
  mutating func report(_ reason: String, at place: Int? = nil) {
    if mode == .describing { return }
    builder.report(reason, at: place ?? offset)
  }

  mutating func skipped(_ what: String) { builder.skipped(what) }
  mutating func ignored(_ what: String) { builder.ignored(what) }

  // MARK: Packets

  mutating func read(packet message: UnsafeRawBufferPointer) {
    guard let packet = TracePacket(message) else { return report("a packet that is not protobuf; skipped") }
    builder.trace.statistics.packets += 1
    builder.bytes = offset + decompressed
    if packet.payloadField == TracePacket.Field.compressedPackets
      || packet.payloadField == TracePacket.Field.zstdPackets
    {
      return read(compressed: packet)
    }
    guard let row = row(ofSequence: packet.sequence) else {
      return ignored("packets of more than \(Self.mostSequences) sequences")
    }
    if packet.flags & 1 != 0 {
      sequences[row].clear()
    } else if packet.isPacketLost {
      sequences[row].isValid = false
    }
    if let defaults = packet.defaults { sequences[row].readDefaults(defaults) }
    if let interned = packet.interned, sequences[row].isValid { read(interned: interned, row) }
    if packet.flags & 2 != 0, !sequences[row].isValid { return skip(lost: packet) }
    if packet.payloadField == TracePacket.Field.trackEvent {
      read(trackEvent: packet.payload, packet, row)
    } else {
      read(other: packet, row)
    }
  }

  /// A ring buffer has overwritten the packet that says what the numbers of this one mean.
  private mutating func skip(lost packet: TracePacket) {
    typealias Field = TracePacket.Field
    switch packet.payloadField {
    case Field.trackEvent, Field.perfSample, Field.streamingProfile:
      ignored("events of a sequence whose first packet is missing")
    default: skipped("packets of a sequence whose first packet is missing")
    }
  }

  @inline(__always)
  private mutating func row(ofSequence id: UInt32) -> Int? {
    if lastSequence >= 0, sequences[lastSequence].id == id { return lastSequence }
    if let known = sequenceRows[id] {
      lastSequence = known
      return known
    }
    if sequences.count == Self.mostSequences { return nil }
    lastSequence = sequences.count
    sequenceRows[id] = lastSequence
    sequences.append(SequenceState(id: id))
    return lastSequence
  }

  private mutating func read(other packet: TracePacket, _ row: Int) {
    typealias Field = TracePacket.Field
    switch packet.payloadField {
    // They convert the packet's time themselves, or have none: the time of a snapshot is in its readings.
    case Field.clockSnapshot, Field.gpuCounterEvent, Field.perfSample: break
    default: advanceClock(packet, row)
    }
    switch packet.payloadField {
    case Field.clockSnapshot: read(clockSnapshot: packet)
    case Field.trackDescriptor: read(trackDescriptor: packet.payload, row)
    case Field.threadDescriptor: read(threadDescriptor: packet.payload, row)
    case Field.processDescriptor: read(processDescriptor: packet.payload)
    case Field.processTree: read(processTree: packet.payload)
    case Field.moduleSymbols: read(moduleSymbols: packet.payload)
    case _ where mode == .describing: break
    case Field.ftraceEvents: read(ftrace: packet.payload)
    case Field.perfSample: read(perfSample: packet, row)
    case Field.streamingProfile: read(streamingProfile: packet, row)
    case Field.gpuCounterEvent: read(gpuCounters: packet, row)
    default: if packet.unknownField != 0 { skipped("packet field \(packet.unknownField)") }
    }
  }

  private mutating func read(clockSnapshot packet: TracePacket) {
    let snapshot = clocks.read(packet.payload, sequence: packet.sequence)
    // All snapshots convert times. Of more than that, the trace has the first ones and the last.
    if builder.trace.clockSnapshots.count >= TraceLimits.snapshots(bytes: builder.bytes) {
      builder.trace.clockSnapshots.removeLast()
      ignored("more snapshots of clocks than a file of its size has")
    }
    builder.trace.clockSnapshots.append(snapshot)
  }

  /// The packet's time on the primary clock; nil if it is not known.
  @inline(__always)
  mutating func time(of packet: TracePacket, _ row: Int) -> Int64? {
    if !packet.hasTimestamp { return nil }
    guard let clock = clock(of: packet, row) else { return packet.timestamp }
    return convert(packet.timestamp, clock)
  }

  /// The time of an event or a sample, which is ignored without one.
  @inline(__always)
  mutating func eventTime(of packet: TracePacket, _ row: Int) -> Int64? {
    if !packet.hasTimestamp { ignored("events with no time") }
    return time(of: packet, row)
  }

  /// Passes a packet whose time is not needed. The times of an incremental clock count from packet to packet, whatever
  /// is in them: Chrome writes a track's descriptor between two events.
  mutating func advanceClock(_ packet: TracePacket, _ row: Int) {
    guard packet.hasTimestamp, let clock = clock(of: packet, row) else { return }
    clocks.advance(clock, by: packet.timestamp)
  }

  /// The clock of the packet's time; nil if it is that of the trace.
  @inline(__always)
  private func clock(of packet: TracePacket, _ row: Int) -> ClockTable.Clock? {
    let id = packet.clock == 0 ? sequences[row].defaults.clock : packet.clock
    return id == 0 ? nil : ClockTable.Clock(id, sequence: packet.sequence)
  }

  @inline(__always)
  mutating func convert(_ time: Int64, _ clock: ClockTable.Clock) -> Int64? {
    clocks.convert(time, from: clock) ?? convertAtEnd(time, clock)
  }

  /// A later snapshot may say what `clock` is.
  private mutating func convertAtEnd(_ time: Int64, _ clock: ClockTable.Clock) -> Int64? {
    if mode == .direct {
      mustSort = true
      return nil
    }
    if let converted = lookAhead(time, clock) { return converted }
    ignored("events of clock \(clock.id), which no snapshot ties to the trace's clock")
    return nil
  }

  private mutating func lookAhead(_ time: Int64, _ clock: ClockTable.Clock) -> Int64? {
    if clocksAtEnd?.primary != clocks.primary { clocksAtEnd?.primary = clocks.primary }
    return clocksAtEnd?.convert(time, from: clock)
  }

  /// A time that old writers take from MONOTONIC; as it is when no snapshot says more.
  mutating func convert(monotonic time: Int64) -> Int64 {
    let clock = ClockTable.Clock(3)
    return clocks.convert(time, from: clock) ?? lookAhead(time, clock) ?? time
  }
}
