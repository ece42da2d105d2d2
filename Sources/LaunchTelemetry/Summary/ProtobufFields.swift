// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The fields of a protobuf message, in order. The sequence ends at the first byte that does not begin a field.
struct ProtobufFields: Sequence, IteratorProtocol {
  struct Field {
    let number: UInt64
    /// The value of a number; 0 for bytes.
    let value: UInt64
    /// The content of a string or a message; empty for a number.
    let bytes: UnsafeRawBufferPointer

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> Field? {
    guard let tag = varint() else { return nil }
    let number = tag >> 3
    switch tag & 7 {
    case 0: return varint().map { Field(number: number, value: $0, bytes: Self.none) }
    case 1: return take(8).map { Field(number: number, value: $0.loadUnaligned(as: UInt64.self), bytes: Self.none) }
    case 2: return varint().flatMap { take($0) }.map { Field(number: number, value: 0, bytes: $0) }
    case 5:
      return take(4).map { Field(number: number, value: UInt64($0.loadUnaligned(as: UInt32.self)), bytes: Self.none) }
    default: return nil
    }
  }

  private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
    guard count <= UInt64(bytes.count - place) else { return nil }
    let taken = UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(count)])
    place += Int(count)
    return taken
  }
}
#endif
