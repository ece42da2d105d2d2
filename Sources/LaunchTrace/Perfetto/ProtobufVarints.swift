// SPDX-License-Identifier: Apache-2.0

/// The values of a repeated scalar field of a message, packed or not, one after the other and without an array.
struct ProtobufVarints: IteratorProtocol {
  private let number: Int
  private var fields: ProtobufFields
  /// What is left of a packed field.
  private var packed = UnsafeRawBufferPointer(start: nil, count: 0)

  init(field number: Int, of message: UnsafeRawBufferPointer) {
    self.number = number
    fields = ProtobufFields(message)
  }

  mutating func next() -> UInt64? {
    while true {
      if var cursor = packed.baseAddress, !packed.isEmpty {
        let end = cursor + packed.count
        if let value = ProtobufFields.varint(&cursor, end) {
          packed = UnsafeRawBufferPointer(start: cursor, count: end - cursor)
          return value
        }
        packed = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      guard let field = fields.next() else { return nil }
      guard field.number == number else { continue }
      if field.wire != 2 { return field.value }
      packed = field.bytes
    }
  }
}
