// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the end of a recorder's file: after the last top-level field that is not a filler (field 15), see
/// docs/trace-format.md. Valid fields count even if damaged bytes follow.
///
/// It uses pread instead of a mapping, because a process of the launch that still runs may truncate the file.
struct TraceTail {
  private let file: Int32
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  private static let windowSize = 64 * 1024
  private static let filler: UInt64 = 15

  /// The number of bytes to keep of an open file.
  static func end(of file: Int32) -> Int64 {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { return 0 }
    var tail = TraceTail(file: file)
    return tail.walk(size: Int64(facts.st_size))
  }

  private init(file: Int32) { self.file = file }

  private mutating func walk(size: Int64) -> Int64 {
    var (at, end): (Int64, Int64) = (0, 0)
    while at < size {
      // The top level has only length-delimited fields (wire type 2).
      guard let (tag, tagSize) = varint(at: at), tag & 7 == 2, let (length, lengthSize) = varint(at: at + tagSize),
        length <= UInt64(size - at)
      else { return end }
      at += tagSize + lengthSize + Int64(length)
      guard at <= size else { return end }
      if tag >> 3 != Self.filler { end = at }
    }
    return end
  }

  private mutating func varint(at offset: Int64) -> (value: UInt64, size: Int64)? {
    var value: UInt64 = 0
    for index in 0..<10 as Range<Int64> {
      guard let byte = byte(at: offset + index) else { return nil }
      value |= UInt64(byte & 0x7f) << UInt64(7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }

  private mutating func byte(at offset: Int64) -> UInt8? {
    if offset < windowStart || offset >= windowStart + Int64(window.count) {
      window = [UInt8](unsafeUninitializedCapacity: Self.windowSize) { [file] buffer, filled in
        filled = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
      }
      windowStart = offset
      if window.isEmpty { return nil }
    }
    return window[Int(offset - windowStart)]
  }
}
