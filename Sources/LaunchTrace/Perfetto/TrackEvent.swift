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
    while let field = fields.next() {
      switch (field.number, field.wire) {
      case (9, 0): type = field.value
      case (10, 0): nameID = field.value
      case (11, 0): track = field.value
      case (3, 0):
        categoryID = field.value
        categories += 1
      case (4, 2): hasAnnotations = true
      default: rare(field)
      }
    }
    if fields.isMalformed { return nil }
  }

  private mutating func rare(_ field: ProtobufFields.Field) {
    switch (field.number, field.wire) {
    case (3, 2):
      field.forEachVarint {
        categoryID = $0
        categories += 1
      }
    case (22, 2):
      category = field.bytes
      categories += 1
    case (23, 2): name = field.bytes
    case (6, 2): legacy = field.bytes
    case (30, 0): counterValue = Double(field.signed)
    case (44, 1): counterValue = field.double
    case (12, _), (46, _): hasExtraCounters = true
    default: time(field)
    }
  }

  private mutating func time(_ field: ProtobufFields.Field) {
    guard field.wire == 0 else { return }
    switch field.number {
    case 1: timeDelta = field.signed
    case 16: time = field.signed
    case 2: threadTimeDelta = field.signed
    case 17: threadTime = field.signed
    case 8: instructionsDelta = field.signed
    case 20: instructions = field.signed
    default: break
    }
  }
}
