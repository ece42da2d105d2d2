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
