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
      // Eight bytes at a time while none is a quote or a backslash.
      while end - cursor >= 8 {
        let word = cursor.loadUnaligned(as: UInt64.self)
        if Self.has(word, 0x22) || Self.has(word, 0x5c) { break }
        cursor += 8
      }
      if cursor == end { throw .incomplete }
      switch cursor.load(as: UInt8.self) {
      case 0x22:
        let bytes = UnsafeRawBufferPointer(start: start, count: cursor - start)
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

  /// Whether a byte of the word is `byte` (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
  @inline(__always)
  private static func has(_ word: UInt64, _ byte: UInt64) -> Bool {
    let difference = word ^ (byte &* 0x0101_0101_0101_0101)
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080 != 0
  }

  /// A number, `true`, `false` or `null`, as text.
  mutating func scalar() throws(Failure) -> UnsafeRawBufferPointer {
    _ = try peek()
    let start = cursor
    while cursor < end {
      switch cursor.load(as: UInt8.self) {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: cursor += 1
      default:
        if cursor == start { throw .malformed }
        return UnsafeRawBufferPointer(start: start, count: cursor - start)
      }
    }
    throw .incomplete
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
    return UnsafeRawBufferPointer(start: start, count: cursor - start)
  }
}
