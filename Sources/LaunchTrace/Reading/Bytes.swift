// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

extension UnsafeRawBufferPointer {
  func from(_ start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[Swift.min(start, count)...])
  }

  func to(_ end: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[..<Swift.min(end, count)]) }

  /// Without blanks at both ends.
  var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// The value of its digits; nil if there are other characters or too many digits.
  var decimal: Int64? {
    if isEmpty || count > 18 { return nil }
    var value: Int64 = 0
    for byte in self {
      let digit = byte &- 0x30
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return value
  }

  /// Like `decimal`, in base 16.
  var hexadecimalValue: UInt64? {
    if isEmpty || count > 16 { return nil }
    var value: UInt64 = 0
    for byte in self {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte &- 0x30
      case 0x61...0x66: digit = byte &- 0x57
      case 0x41...0x46: digit = byte &- 0x37
      default: return nil
      }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  func lastPlace(of bytes: StaticString) -> Int? {
    let length = bytes.utf8CodeUnitCount
    var place = count - length
    while place >= 0 {
      if let base = baseAddress, memcmp(base + place, bytes.utf8Start, length) == 0 { return place }
      place -= 1
    }
    return nil
  }

  /// Where a byte occurs first, from `start` on.
  package func firstPlace(of byte: UInt8, from start: Int) -> Int? {
    guard let base = baseAddress, start < count, let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  package func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    guard count == bytes.count else { return false }
    guard let left = baseAddress, let right = bytes.baseAddress else { return true }
    return memcmp(left, right, count) == 0
  }
}
