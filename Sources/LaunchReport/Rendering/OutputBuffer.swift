// SPDX-License-Identifier: Apache-2.0

/// Gathers output and hands it to a sink in large pieces. Nothing is written after the first error.
struct OutputBuffer: ~Copyable {
  private static let capacity = 1 << 17
  private let storage: UnsafeMutableRawPointer
  private var used = 0
  private let sink: any ByteSink
  private var failure: (any Error)?

  init(_ sink: any ByteSink) {
    self.sink = sink
    storage = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit { storage.deallocate() }

  /// Hands over what is left.
  ///
  /// - Throws: what the sink threw, now or before.
  mutating func finish() throws {
    flush()
    if let failure { throw failure }
  }

  /// True once the sink has thrown: more output is of no use.
  var hasFailed: Bool { failure != nil }

  private mutating func flush() {
    defer { used = 0 }
    guard failure == nil, used > 0 else { return }
    do { try sink.write(UnsafeRawBufferPointer(start: storage, count: used)) } catch { failure = error }
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if used == Self.capacity { flush() }
    storage.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
    used += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count <= Self.capacity - used {
      if let base = bytes.baseAddress { (storage + used).copyMemory(from: base, byteCount: bytes.count) }
      used += bytes.count
    } else {
      appendInPieces(bytes)
    }
  }

  private mutating func appendInPieces(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      if used == Self.capacity { flush() }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.capacity - used))
      append(piece)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
    }
  }

  /// Appends a literal: no `String` is made.
  @inline(__always)
  mutating func append(literal: StaticString) {
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func append(_ number: Int64) {
    if Self.capacity - used < 20 { flush() }
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    if rest < 10 { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)) }
    let length = Self.digits(rest)
    var place = used + length
    used = place
    repeat {
      let quotient = rest / 10
      place -= 1
      storage.storeBytes(
        of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest - quotient * 10), toByteOffset: place, as: UInt8.self)
      rest = quotient
    } while rest > 0
  }

  private static func digits(_ number: UInt64) -> Int {
    var count = 1
    var limit: UInt64 = 10
    while number >= limit {
      count += 1
      if count == 20 { break }
      limit = limit &* 10
    }
    return count
  }
}
