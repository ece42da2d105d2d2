// SPDX-License-Identifier: Apache-2.0

/// The fields of a `TrackEvent` (google/perfetto, protos/perfetto/trace/track_event/track_event.proto).
struct TrackEvent {
  var type: UInt64 = 0
  var nameID: UInt64 = 0
  var name: UnsafeRawBufferPointer?
  var track: UInt64?
  var categoryID: UInt64 = 0
  var category: UnsafeRawBufferPointer?
  /// How many categories it has, by id or by name.
  var categories = 0
  /// It has at least one. The first one is at its own place in the message.
  var hasAnnotations = false
  var counterValue: Double?
  var hasExtraCounters = false
  var legacy: UnsafeRawBufferPointer?
  // Times of old writers, in microseconds.
  var timeDelta: Int64?
  var time: Int64?
  var threadTimeDelta: Int64?
  var threadTime: Int64?
  var instructionsDelta: Int64?
  var instructions: Int64?

  enum Kind {
    static let begin: UInt64 = 1
    static let end: UInt64 = 2
    static let instant: UInt64 = 3
    static let counter: UInt64 = 4
  }

  @inline(__always)
  init?(_ message: UnsafeRawBufferPointer) {
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (9, 0): type = fields.value
      case (10, 0): nameID = fields.value
      case (11, 0): track = fields.value
      case (3, 0):
        categoryID = fields.value
        categories += 1
      case (4, 2): hasAnnotations = true
      default: rare(fields)
      }
    }
    if fields.isMalformed { return nil }
  }

  private mutating func rare(_ fields: ProtobufFields) {
    switch (fields.number, fields.wire) {
    case (3, 2):
      fields.forEachVarint {
        categoryID = $0
        categories += 1
      }
    case (22, 2):
      category = fields.bytes
      categories += 1
    case (23, 2): name = fields.bytes
    case (6, 2): legacy = fields.bytes
    case (30, 0): counterValue = Double(fields.signed)
    case (44, 1): counterValue = fields.double
    case (12, _), (46, _): hasExtraCounters = true
    default: time(fields)
    }
  }

  private mutating func time(_ fields: ProtobufFields) {
    guard fields.wire == 0 else { return }
    switch fields.number {
    case 1: timeDelta = fields.signed
    case 16: time = fields.signed
    case 2: threadTimeDelta = fields.signed
    case 17: threadTime = fields.signed
    case 8: instructionsDelta = fields.signed
    case 20: instructions = fields.signed
    default: break
    }
  }
}
