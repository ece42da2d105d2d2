// SPDX-License-Identifier: Apache-2.0

/// The fields of a `TracePacket` that are needed before its payload is read.
struct TracePacket {
  var timestamp: Int64 = 0
  var hasTimestamp = false
  var clock: UInt64 = 0
  var sequence: UInt32 = 0
  /// 1: the incremental state is cleared; 2: the packet needs it.
  var flags: UInt64 = 0
  var isPacketLost = false
  var interned: UnsafeRawBufferPointer?
  var defaults: UnsafeRawBufferPointer?
  /// Field number and bytes of the payload; 0 for none that is known.
  var payloadField = 0
  var payload: UnsafeRawBufferPointer
  /// A payload that is not read.
  var unknownField = 0

  /// Nil if the bytes are not a protobuf message.
  @inline(__always)
  init?(_ message: UnsafeRawBufferPointer) {
    payload = message
    var fields = ProtobufFields(message)
    while let field = fields.next() {
      switch (field.number, field.wire) {
      case (Field.timestamp, 0):
        timestamp = field.signed
        hasTimestamp = true
      case (Field.sequence, 0): sequence = UInt32(truncatingIfNeeded: field.value)
      case (Field.sequenceFlags, 0): flags |= field.value
      case (Field.trackEvent, 2):
        payloadField = Field.trackEvent
        payload = field.bytes
      case (Field.internedData, 2): interned = field.bytes
      default: rare(field)
      }
    }
    if fields.isMalformed { return nil }
  }

  private mutating func rare(_ field: ProtobufFields.Field) {
    switch (field.number, field.wire) {
    case (Field.clock, 0): clock = field.value
    case (Field.defaults, 2): defaults = field.bytes
    case (Field.stateCleared, 0): flags |= field.value != 0 ? 1 : 0
    case (Field.packetDropped, 0): isPacketLost = field.value != 0
    case (_, 2) where Field.payloads.contains(field.number):
      payloadField = field.number
      payload = field.bytes
    case (_, 2): unknownField = field.number
    default: break
    }
  }

  /// Field numbers of `TracePacket` (google/perfetto, protos/perfetto/trace/trace_packet.proto).
  enum Field {
    static let ftraceEvents = 1
    static let processTree = 2
    static let clockSnapshot = 6
    static let timestamp = 8
    static let sequence = 10
    static let trackEvent = 11
    static let internedData = 12
    static let sequenceFlags = 13
    static let stateCleared = 41
    static let packetDropped = 42
    static let processDescriptor = 43
    static let threadDescriptor = 44
    static let compressedPackets = 50
    static let gpuCounterEvent = 52
    static let streamingProfile = 54
    static let clock = 58
    static let defaults = 59
    static let trackDescriptor = 60
    static let moduleSymbols = 61
    static let perfSample = 66
    static let zstdPackets = 133

    static let payloads: Set<Int> = [
      ftraceEvents, processTree, clockSnapshot, processDescriptor, threadDescriptor, compressedPackets, gpuCounterEvent,
      streamingProfile, trackDescriptor, moduleSymbols, perfSample, zstdPackets,
    ]
  }
}
