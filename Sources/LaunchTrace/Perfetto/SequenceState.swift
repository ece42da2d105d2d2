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

/// `PerfEvents.Counter` (perf_events.proto): what was counted between two samples. The clocks count ns.
enum SampleCounter {
  static let unknown: UInt64 = 0
  static let processorClock: UInt64 = 1
  static let taskClock: UInt64 = 3
  static let contextSwitches: UInt64 = 4
}

/// `TracePacketDefaults`; later ones replace earlier ones as a whole.
struct PacketDefaults {
  var clock: UInt64 = 0
  var track: UInt64?
  var extraCounters: [UInt64] = []
  var extraDoubleCounters: [UInt64] = []
  /// The time that a stack sample represents, ns; 0 if unknown.
  var samplePeriod: Int64 = 0
  /// Its stack samples are of threads that leave their processors.
  var samplesSwitches = false

  init() {}

  init(_ message: UnsafeRawBufferPointer) {
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (58, 0): clock = field.value
      case (11, 2): readTrackEventDefaults(field.bytes)
      case (12, 2): readSampleDefaults(field.bytes)
      default: break
      }
    }
  }

  private mutating func readTrackEventDefaults(_ message: UnsafeRawBufferPointer) {
    for field in ProtobufFields(message) {
      switch field.number {
      case 11: track = field.value
      case 31: field.appendVarints(to: &extraCounters)
      case 45: field.appendVarints(to: &extraDoubleCounters)
      default: break
      }
    }
  }

  /// `PerfSampleDefaults.timebase`: a frequency, or a period of a clock.
  private mutating func readSampleDefaults(_ message: UnsafeRawBufferPointer) {
    (samplePeriod, samplesSwitches) = (0, false)
    for field in ProtobufFields(message) where field.number == 1 && field.wire == 2 { readTimebase(field.bytes) }
  }

  private mutating func readTimebase(_ message: UnsafeRawBufferPointer) {
    var (period, frequency, counter): (Int64, UInt64, UInt64) = (0, 0, SampleCounter.processorClock)
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: period = max(0, field.signed)
      case 2: frequency = field.value
      case 4: counter = field.value
      // A tracepoint, or an event by its number. Their periods count events.
      case 3, 5: counter = SampleCounter.unknown
      default: break
      }
    }
    samplesSwitches = counter == SampleCounter.contextSwitches
    if frequency > 0 {
      samplePeriod = Int64(1_000_000_000 / min(frequency, 1_000_000_000))
    } else {
      samplePeriod = [SampleCounter.processorClock, SampleCounter.taskClock].contains(counter) ? period : 0
    }
  }
}
