// SPDX-License-Identifier: Apache-2.0

/// Finds where packets begin again behind a broken place.
struct PacketSearch {
  /// How many fields it still looks at, in all searches of a file. In a hostile file, each byte can begin what looks like a
  /// large packet.
  private var fieldsLeft = TraceLimits.least(26)

  /// No packet larger than this is looked for.
  static let largest = 1 << 18

  /// The offset of the first packet that looks whole: it has a sequence or a time, all of its fields are sound, and the
  /// next field of the trace, or the end, follows it. Nil if there is none that begins `largest` bytes before the end, or
  /// if the search takes too long.
  mutating func firstPacket(in bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int? {
    var place = 1
    let end = isLast ? bytes.count : bytes.count - Self.largest
    while place < end, fieldsLeft > 0 {
      if bytes[place] == 0x0a, let size = packet(in: UnsafeRawBufferPointer(rebasing: bytes[place...])) {
        let behind = place + size
        if behind == bytes.count || bytes[behind] == 0x0a || bytes[behind] == 0x7a { return place }
      }
      place += 1
    }
    return nil
  }

  private mutating func packet(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var cursor = base + 1
    let end = base + bytes.count
    guard let length = ProtobufFields.varint(&cursor, end), length >= 4, length <= UInt64(Self.largest),
      length <= UInt64(end - cursor)
    else { return nil }
    let message = UnsafeRawBufferPointer(start: cursor, count: Int(length))
    var fields = ProtobufFields(message)
    var isLikely = false
    while let field = fields.next() {
      fieldsLeft -= 1
      switch field.number {
      case TracePacket.Field.sequence, TracePacket.Field.timestamp:
        if field.wire != 0 { return nil }
        isLikely = true
      case TracePacket.Field.trackEvent, TracePacket.Field.internedData, TracePacket.Field.trackDescriptor:
        if field.wire != 2 { return nil }
      case let number where number > 1000: return nil
      default: break
      }
    }
    return isLikely && !fields.isMalformed ? (cursor - base) + message.count : nil
  }
}
