// SPDX-License-Identifier: Apache-2.0

/// Reads a range from its beginning to its end. After a read that reaches outside, `isBroken` is true and every value is zero.
struct ByteCursor {
  private let bytes: ByteRange
  private(set) var offset: UInt64 = 0
  private(set) var isBroken = false

  init(_ bytes: ByteRange, at offset: UInt64 = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { isBroken || offset >= bytes.count }

  mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T {
    guard !isBroken, let value = bytes.read(type, at: offset) else { return broken(0) }
    offset += UInt64(MemoryLayout<T>.size)
    return value
  }

  /// An unsigned LEB128 (DWARF 5, 7.6). Bits above the 64th are lost.
  mutating func unsigned() -> UInt64 { leb().value }

  /// A signed LEB128.
  mutating func signed() -> Int64 {
    let (value, bits, last) = leb()
    let isNegative = last & 0x40 != 0 && bits < 64
    return Int64(bitPattern: isNegative ? value | ~0 << UInt64(bits) : value)
  }

  private mutating func leb() -> (value: UInt64, bits: Int, last: UInt8) {
    var (value, bits): (UInt64, Int) = (0, 0)
    while true {
      let byte = read(UInt8.self)
      if bits < 64 { value |= UInt64(byte & 0x7f) << UInt64(bits) }
      bits += 7
      // No writer pads numbers to more bytes. An entry that thousands of others name would be read thousands of times.
      if bits > 7 * 16 { isBroken = true }
      if byte & 0x80 == 0 || isBroken { return (value, bits, byte) }
    }
  }

  /// The next `count` bytes.
  mutating func range(_ count: UInt64) -> ByteRange {
    guard !isBroken, let range = bytes[offset, count] else {
      return broken(ByteRange(UnsafeRawBufferPointer(start: nil, count: 0)))
    }
    offset += count
    return range
  }

  /// A zero-terminated string of at most 64 bytes.
  mutating func string() -> String {
    guard !isBroken, let text = bytes.string(at: offset, longest: 64) else { return broken("") }
    offset += UInt64(text.utf8.count) + 1
    return text
  }

  private mutating func broken<Value>(_ value: Value) -> Value {
    isBroken = true
    return value
  }
}
