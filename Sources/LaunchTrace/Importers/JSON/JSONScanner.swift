// SPDX-License-Identifier: Apache-2.0

/// Scans JSON (RFC 8259) in memory, without building values and without recursion.
struct JSONScanner {
  enum Failure: Error {
    /// The text ends within a value. The file may contain more of it.
    case incomplete
    case malformed
  }

  private(set) var cursor: UnsafeRawPointer
  let end: UnsafeRawPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    cursor = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = cursor + bytes.count
  }

  /// The next byte that is not white space. It is not consumed.
  @inline(__always)
  mutating func peek() throws(Failure) -> UInt8 {
    while cursor < end {
      let byte = cursor.load(as: UInt8.self)
      if byte > 0x20 { return byte }
      cursor += 1
    }
    throw .incomplete
  }

  @inline(__always)
  mutating func take() { cursor += 1 }

  /// Consumes `byte` if it comes next.
  @inline(__always)
  mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
    if try peek() != byte { return false }
    cursor += 1
    return true
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(Failure) {
    if try !take(byte) { throw .malformed }
  }

  /// The bytes between a string's quotes, and whether any is escaped. Control characters are accepted, because real
  /// traces contain them.
  @inline(__always)
  mutating func string() throws(Failure) -> (bytes: UnsafeRawBufferPointer, isEscaped: Bool) {
    try expect(UInt8(ascii: "\""))
    let start = cursor
    var isEscaped = false
    while true {
      // Eight bytes at a time up to the next quote or backslash.
      while end - cursor >= 8 {
        let word = UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self))
        let distance = (Self.marks(word, 0x22) | Self.marks(word, 0x5c)).trailingZeroBitCount / 8
        cursor += distance
        if distance < 8 { break }
      }
      if cursor == end { throw .incomplete }
      switch cursor.load(as: UInt8.self) {
      case 0x22:
        let bytes = bytes(from: start)
        cursor += 1
        return (bytes, isEscaped)
      case 0x5c:
        isEscaped = true
        if end - cursor < 2 { throw .incomplete }
        cursor += 2
      default: cursor += 1
      }
    }
  }

  /// The lowest bit that is set lies in the first byte that is `byte`
  /// (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
  @inline(__always)
  private static func marks(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (byte &* 0x0101_0101_0101_0101)
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }

  /// Consumes a decimal digit, if one comes next; says its value.
  @inline(__always)
  mutating func digit() -> UInt8? {
    guard cursor < end else { return nil }
    let digit = cursor.load(as: UInt8.self) &- UInt8(ascii: "0")
    if digit > 9 { return nil }
    cursor += 1
    return digit
  }

  /// Whether the next byte is of a number or a word.
  @inline(__always)
  var isWithinScalar: Bool {
    guard cursor < end else { return false }
    switch cursor.load(as: UInt8.self) {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: return true
    default: return false
    }
  }

  /// A number, `true`, `false` or `null`, as text.
  mutating func scalar() throws(Failure) -> UnsafeRawBufferPointer {
    _ = try peek()
    let start = cursor
    while isWithinScalar { take() }
    if cursor == end { throw .incomplete }
    if cursor == start { throw .malformed }
    return bytes(from: start)
  }

  /// What was consumed since the cursor was at `start`.
  @inline(__always)
  func bytes(from start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: cursor - start)
  }

  /// Skips a value of any kind and depth; returns its bytes.
  @discardableResult
  mutating func skipValue() throws(Failure) -> UnsafeRawBufferPointer {
    let first = try peek()
    let start = cursor
    switch first {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var depth = 0
      repeat {
        switch try peek() {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          take()
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          take()
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: ","), UInt8(ascii: ":"): take()
        default: _ = try scalar()
        }
      } while depth > 0
    default: _ = try scalar()
    }
    return bytes(from: start)
  }
}
