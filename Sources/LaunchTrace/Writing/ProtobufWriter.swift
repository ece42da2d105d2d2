// SPDX-License-Identifier: Apache-2.0

/// Appends protobuf fields to a buffer (https://protobuf.dev/programming-guides/encoding).
package struct ProtobufWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func varint(_ field: Int, _ value: UInt64) {
    bytes.append(varint: UInt64(field) << 3)
    bytes.append(varint: value)
  }

  package mutating func signed(_ field: Int, _ value: Int64) { varint(field, UInt64(bitPattern: value)) }

  package mutating func bool(_ field: Int, _ value: Bool) { varint(field, value ? 1 : 0) }

  package mutating func double(_ field: Int, _ value: Double) { fixed64(field, value.bitPattern) }

  package mutating func fixed64(_ field: Int, _ value: UInt64) {
    bytes.append(varint: UInt64(field) << 3 | 1)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func string(_ field: Int, _ value: String) {
    var value = value
    value.withUTF8 { self.bytes(field, UnsafeRawBufferPointer($0)) }
  }

  package mutating func bytes(_ field: Int, _ value: UnsafeRawBufferPointer) {
    bytes.append(varint: UInt64(field) << 3 | 2)
    bytes.append(varint: UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Appends a message, whose fields `body` writes.
  package mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    bytes.append(varint: UInt64(field) << 3 | 2)
    let place = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - place - 1
    if length < 0x80 {
      bytes[place] = UInt8(length)
      return
    }
    var prefix: [UInt8] = []
    prefix.append(varint: UInt64(length))
    bytes.replaceSubrange(place...place, with: prefix)
  }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

extension [UInt8] {
  /// Appends a number as protobuf does: 7 bits a byte, the lowest first; the top bit says that another byte follows.
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
