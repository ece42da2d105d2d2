// SPDX-License-Identifier: Apache-2.0

/// The packets of a trace in file order, decoded only as far as a test needs.
struct PacketOrder {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  struct Malformed: Error {}

  /// True if no event of a sequence is earlier than the preceding one. Exempt is what the recorder writes about the
  /// time before it ran.
  func timeStampsRiseWithinSequences() throws -> Bool {
    var last: [UInt64: UInt64] = [:]
    var at = 0
    while at < bytes.count {
      let tag = try varint(&at)
      let length = Int(try varint(&at))
      guard at + length <= bytes.count else { throw Malformed() }
      if tag >> 3 == 1 {
        let (sequence, time) = try packet(at, at + length)
        if let sequence, let time {
          if sequence != 1, time < last[sequence] ?? 0 { return false }
          last[sequence] = time
        }
      }
      at += length
    }
    return !last.isEmpty
  }

  /// How many values of counters come before the description of their track.
  func valuesBeforeTheirTracks() throws -> Int {
    var (described, count) = (Set<UInt64>(), 0)
    for packet in try fields(bytes[...]) where packet.number == 1 {
      for field in try fields(packet.content) {
        // TracePacket.track_descriptor, TrackDescriptor.uuid
        if field.number == 60, let track = try fields(field.content).first(where: { $0.number == 1 }) {
          described.insert(track.value)
        }
        // TracePacket.track_event: TrackEvent.type, of which 4 is TYPE_COUNTER, and TrackEvent.track_uuid
        guard field.number == 11 else { continue }
        let event = try fields(field.content)
        guard event.contains(where: { $0.number == 9 && $0.value == 4 }) else { continue }
        if let track = event.first(where: { $0.number == 11 }), !described.contains(track.value) { count += 1 }
      }
    }
    return count
  }

  private typealias Field = (number: UInt64, value: UInt64, content: ArraySlice<UInt8>)

  private func fields(_ message: ArraySlice<UInt8>) throws -> [Field] {
    var (fields, at) = ([Field](), message.startIndex)
    while at < message.endIndex {
      let tag = try varint(&at)
      let value = tag & 7 == 1 ? 0 : try varint(&at)
      let length = tag & 7 == 1 ? 8 : tag & 7 == 2 ? Int(value) : 0
      guard at + length <= message.endIndex else { throw Malformed() }
      fields.append((tag >> 3, value, message[at..<at + length]))
      at += length
    }
    return fields
  }

  private func packet(_ start: Int, _ end: Int) throws -> (sequence: UInt64?, time: UInt64?) {
    var (at, sequence, time) = (start, UInt64?.none, UInt64?.none)
    while at < end {
      let tag = try varint(&at)
      switch tag & 7 {
      case 0:
        let value = try varint(&at)
        if tag >> 3 == 10 { sequence = value }
        if tag >> 3 == 8 { time = value }
      case 1: at += 8
      case 2: at += Int(try varint(&at))
      default: throw Malformed()
      }
    }
    return (sequence, time)
  }

  private func varint(_ at: inout Int) throws -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Malformed()
  }
}
