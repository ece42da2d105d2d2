// SPDX-License-Identifier: Apache-2.0

/// Walks the fields of one protobuf message (https://protobuf.dev/programming-guides/encoding).
///
/// Varints may be padded with continuation bytes up to ten. It stops at the first malformed field and says so in
/// `isMalformed`; groups (wire types 3 and 4) are malformed, for no message here has any.
package struct ProtobufFields {
  private var cursor: UnsafeRawPointer
  private let end: UnsafeRawPointer

  /// The current field's number.
  package private(set) var number = 0
  /// The current field's wire type: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes.
  package private(set) var wire: UInt8 = 0
  /// The value of a varint or fixed field.
  package private(set) var value: UInt64 = 0
  /// The bytes of a field of wire type 2; empty for others.
  package private(set) var bytes: UnsafeRawBufferPointer
  package private(set) var isMalformed = false

  package init(_ message: UnsafeRawBufferPointer) {
    let base = message.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    cursor = base
    end = base + message.count
    bytes = UnsafeRawBufferPointer(start: base, count: 0)
  }

  /// Goes to the next field; false after the last one.
  @inline(__always)
  package mutating func next() -> Bool {
    if cursor == end { return false }
    guard let tag = Self.varint(&cursor, end) else { return malformed() }
    number = Int(truncatingIfNeeded: tag >> 3)
    wire = UInt8(truncatingIfNeeded: tag & 7)
    if tag < 8 || tag >> 3 > 0x1fff_ffff { return malformed() }
    switch wire {
    case 0:
      guard let varint = Self.varint(&cursor, end) else { return malformed() }
      value = varint
    case 2:
      guard let length = Self.varint(&cursor, end), length <= UInt64(end - cursor) else { return malformed() }
      bytes = UnsafeRawBufferPointer(start: cursor, count: Int(truncatingIfNeeded: length))
      cursor += Int(truncatingIfNeeded: length)
    case 1:
      guard end - cursor >= 8 else { return malformed() }
      value = UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self))
      cursor += 8
    case 5:
      guard end - cursor >= 4 else { return malformed() }
      value = UInt64(UInt32(littleEndian: cursor.loadUnaligned(as: UInt32.self)))
      cursor += 4
    default: return malformed()
    }
    return true
  }

  /// How many bytes follow the field.
  var rest: Int { end - cursor }

  private mutating func malformed() -> Bool {
    isMalformed = true
    cursor = end
    return false
  }

  var signed: Int64 { Int64(bitPattern: value) }
  var int32: Int32 { Int32(truncatingIfNeeded: value) }
  var double: Double {
    wire == 5 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: value))) : Double(bitPattern: value)
  }
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the values of a repeated scalar field, packed or not.
  func forEachVarint(_ body: (UInt64) -> Void) {
    if wire != 2 { return body(value) }
    guard var pointer = bytes.baseAddress else { return }
    let end = pointer + bytes.count
    while pointer < end, let value = Self.varint(&pointer, end) { body(value) }
  }

  /// Appends the values of a repeated field that an event has a few of, such as its counters. A hostile file has millions, of a byte
  /// each.
  func appendVarints(to values: inout [UInt64]) { forEachVarint { if values.count < 1024 { values.append($0) } } }

  /// Reads a varint of at most ten bytes; nil if it breaks off.
  @inline(__always)
  static func varint(_ cursor: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> UInt64? {
    if cursor < end {
      let first = cursor.load(as: UInt8.self)
      if first < 0x80 {
        cursor += 1
        return UInt64(first)
      }
    }
    return longVarint(&cursor, end)
  }

  private static func longVarint(_ cursor: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var pointer = cursor
    while pointer < end, shift < 70 {
      let byte = pointer.load(as: UInt8.self)
      pointer += 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 {
        cursor = pointer
        return value
      }
      shift += 7
    }
    return nil
  }
}
