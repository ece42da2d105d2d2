// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// A part of a file, little-endian. Every read is checked; a read outside the range returns nil and never traps.
struct ByteRange {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: UInt64 { UInt64(bytes.count) }

  /// The integer at `offset`.
  func read<T: FixedWidthInteger>(_ type: T.Type = T.self, at offset: UInt64) -> T? {
    let size = UInt64(MemoryLayout<T>.size)
    guard offset <= count, count - offset >= size else { return nil }
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: Int(offset), as: T.self))
  }

  /// The range `offset..<offset + size`; nil if it reaches outside.
  subscript(offset: UInt64, size: UInt64) -> ByteRange? {
    guard offset <= count, count - offset >= size else { return nil }
    return ByteRange(UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + size)]))
  }

  /// The zero-terminated string at `offset`; nil if it does not end inside the range, or has more than `longest` bytes.
  func string(at offset: UInt64, longest: Int = 1 << 16) -> String? {
    guard offset < count else { return nil }
    let tail = UnsafeRawBufferPointer(rebasing: bytes[Int(offset)...].prefix(longest + 1))
    guard let length = tail.firstIndex(of: 0) else { return nil }
    return String(decoding: tail[..<length], as: UTF8.self)
  }

  /// Whether `wanted` is at `offset`; false for no bytes.
  func has(_ wanted: [UInt8], at offset: UInt64) -> Bool {
    guard !wanted.isEmpty, offset <= count, count - offset >= UInt64(wanted.count) else { return false }
    // Most names already differ in their first byte.
    return bytes[Int(offset)] == wanted[0] && bytes[Int(offset)..<Int(offset) + wanted.count].elementsEqual(wanted)
  }

  var hexadecimal: String { bytes.hexadecimal }
}
