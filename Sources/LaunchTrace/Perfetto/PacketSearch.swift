// SPDX-License-Identifier: Apache-2.0

/// Finds where packets begin again behind a broken place.
enum PacketSearch {
  /// No packet larger than this is looked for.
  static let largest = 1 << 18

  /// The offset of the first packet that looks whole: it has a sequence or a time, all of its fields are sound, and the
  /// next field of the trace, or the end, follows it. Nil if there is none that begins `largest` bytes before the end.
  static func firstPacket(in bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int? {
    var place = 1
    let end = isLast ? bytes.count : bytes.count - largest
    while place < end {
      if bytes[place] == 0x0a, let size = packet(in: UnsafeRawBufferPointer(rebasing: bytes[place...])) {
        let behind = place + size
        if behind == bytes.count || bytes[behind] == 0x0a || bytes[behind] == 0x7a { return place }
      }
      place += 1
    }
    return nil
  }

  private static func packet(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var cursor = base + 1
    let end = base + bytes.count
    guard let length = ProtobufFields.varint(&cursor, end), length >= 4, length <= UInt64(largest),
      length <= UInt64(end - cursor)
    else { return nil }
    let message = UnsafeRawBufferPointer(start: cursor, count: Int(length))
    var fields = ProtobufFields(message)
    var isLikely = false
    while fields.next() {
      switch fields.number {
      case TracePacket.Field.sequence, TracePacket.Field.timestamp:
        if fields.wire != 0 { return nil }
        isLikely = true
      case TracePacket.Field.trackEvent, TracePacket.Field.internedData, TracePacket.Field.trackDescriptor:
        if fields.wire != 2 { return nil }
      case let number where number > 1000: return nil
      default: break
      }
    }
    return isLikely && !fields.isMalformed ? (cursor - base) + message.count : nil
  }
}
