// SPDX-License-Identifier: Apache-2.0

/// The fields of one protobuf message (https://protobuf.dev/programming-guides/encoding), in order.
///
/// Varints may be padded with continuation bytes up to ten. It stops at the first malformed field and says so in
/// `isMalformed`; groups (wire types 3 and 4) are malformed, for no message here has any.
package struct ProtobufFields: Sequence, IteratorProtocol {
  package struct Field {
    package fileprivate(set) var number = 0
    /// The wire type: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes.
    package fileprivate(set) var wire: UInt8 = 0
    /// The value of a varint or fixed field; not set by wire type 2.
    package fileprivate(set) var value: UInt64 = 0
    /// The bytes of a field of wire type 2; not set by others.
    package fileprivate(set) var bytes: UnsafeRawBufferPointer
  }

  private var cursor: UnsafeRawPointer
  private let end: UnsafeRawPointer
  /// The last field. Each is read in place: to make a new one takes 5% more instructions.
  private var field: Field

  package private(set) var isMalformed = false

  package init(_ message: UnsafeRawBufferPointer) {
    cursor = message.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = cursor + message.count
    field = Field(bytes: UnsafeRawBufferPointer(start: cursor, count: 0))
  }

  // Inlined, so that a loop keeps the field in registers.
  @inline(__always)
  package mutating func next() -> Field? {
    if cursor == end { return nil }
    guard let tag = Self.varint(&cursor, end) else { return malformed() }
    field.number = Int(truncatingIfNeeded: tag >> 3)
    field.wire = UInt8(truncatingIfNeeded: tag & 7)
    if tag < 8 || tag >> 3 > 0x1fff_ffff { return malformed() }
    switch field.wire {
    case 0:
      guard let varint = Self.varint(&cursor, end) else { return malformed() }
      field.value = varint
    case 2:
      guard let length = Self.varint(&cursor, end), length <= UInt64(end - cursor) else { return malformed() }
      field.bytes = UnsafeRawBufferPointer(start: cursor, count: Int(truncatingIfNeeded: length))
      cursor += Int(truncatingIfNeeded: length)
    case 1:
      guard end - cursor >= 8 else { return malformed() }
      field.value = UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self))
      cursor += 8
    case 5:
      guard end - cursor >= 4 else { return malformed() }
      field.value = UInt64(UInt32(littleEndian: cursor.loadUnaligned(as: UInt32.self)))
      cursor += 4
    default: return malformed()
    }
    return field
  }

  /// How many bytes follow the field.
  var rest: Int { end - cursor }

  private mutating func malformed() -> Field? {
    isMalformed = true
    cursor = end
    return nil
  }

  /// The id of a message that has it as field 1; 0 if it has none.
  static func id(of message: UnsafeRawBufferPointer) -> UInt64 {
    var id: UInt64 = 0
    for field in ProtobufFields(message) where field.number == 1 && field.wire == 0 { id = field.value }
    return id
  }

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

extension ProtobufFields.Field {
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
    while pointer < end, let value = ProtobufFields.varint(&pointer, end) { body(value) }
  }

  /// Appends the values of a repeated field that an event has a few of, such as its counters. A hostile file has millions, of a byte
  /// each.
  func appendVarints(to values: inout [UInt64]) { forEachVarint { if values.count < 1024 { values.append($0) } } }
}
