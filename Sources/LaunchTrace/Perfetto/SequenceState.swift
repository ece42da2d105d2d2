// SPDX-License-Identifier: Apache-2.0

/// What a reader has to remember of a packet sequence (`trusted_packet_sequence_id`) to read its next packet.
struct SequenceState {
  let id: UInt32
  /// False until the first packet that clears the state, and after a loss: what needs the state cannot be read then.
  var isValid = false

  /// Defaults of its packets.
  var defaults = PacketDefaults()

  // Interned data: string ids of the trace.
  var names = InternTable()
  var categories = InternTable()
  var annotationNames = InternTable()
  var annotationStrings = InternTable()
  var stacks = StackInterning()

  // The thread of events that name no track.
  var thread: LegacyThread?
  /// The thread that its default track is, once that has been asked for.
  var ownThread: TrackID?
  /// Running sums of incremental counters, by track.
  var counters: [UInt64: Double] = [:]

  /// The last track that was looked up.
  var lastUUID: UInt64 = 0
  var lastTrack: Int32 = -1

  struct LegacyThread {
    var processID: Int32
    var threadID: Int32
    // Nanoseconds, and a count: running sums of the events' deltas.
    var time: Int64
    var threadTime: Int64
    var instructions: Int64
  }

  init(id: UInt32) { self.id = id }

  mutating func clear() {
    self = SequenceState(id: id)
    isValid = true
  }

  mutating func readDefaults(_ message: UnsafeRawBufferPointer) {
    ownThread = nil
    defaults = PacketDefaults(message)
  }
}

/// `TracePacketDefaults`; later ones replace earlier ones as a whole.
struct PacketDefaults {
  var clock: UInt64 = 0
  var track: UInt64?
  var extraCounters: [UInt64] = []
  var extraDoubleCounters: [UInt64] = []
  /// The time that a stack sample represents, ns; 0 if unknown.
  var samplePeriod: Int64 = 0

  init() {}

  init(_ message: UnsafeRawBufferPointer) {
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (58, 0): clock = fields.value
      case (11, 2): readTrackEventDefaults(fields.bytes)
      case (12, 2): samplePeriod = Self.samplePeriod(fields.bytes)
      default: break
      }
    }
  }

  private mutating func readTrackEventDefaults(_ message: UnsafeRawBufferPointer) {
    var fields = ProtobufFields(message)
    while fields.next() {
      switch fields.number {
      case 11: track = fields.value
      case 31: fields.appendVarints(to: &extraCounters)
      case 45: fields.appendVarints(to: &extraDoubleCounters)
      default: break
      }
    }
  }

  /// `PerfSampleDefaults.timebase`: a frequency, or a period of a clock.
  private static func samplePeriod(_ message: UnsafeRawBufferPointer) -> Int64 {
    var defaults = ProtobufFields(message)
    var period: Int64 = 0
    while defaults.next() {
      if defaults.number == 1, defaults.wire == 2 { period = self.period(ofTimebase: defaults.bytes) }
    }
    return period
  }

  private static func period(ofTimebase message: UnsafeRawBufferPointer) -> Int64 {
    var timebase = ProtobufFields(message)
    var period: Int64 = 0
    var isClock = true
    while timebase.next() {
      switch timebase.number {
      case 2 where timebase.value > 0: return Int64(1_000_000_000 / min(timebase.value, 1_000_000_000))
      case 1: period = max(0, timebase.signed)
      // SW_CPU_CLOCK and SW_TASK_CLOCK count ns (perf_events.proto); other counters count something else.
      case 4: isClock = timebase.value == 1 || timebase.value == 3
      default: break
      }
    }
    return isClock ? period : 0
  }
}
