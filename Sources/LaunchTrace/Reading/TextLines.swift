// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The lines of a text file, without their ends (LF or CRLF).
struct TextLines {
  private let input: TraceInput
  /// Offset of the line that `next` returned last.
  private(set) var offset = 0
  /// The size of the last line in the window.
  private var taken = 0

  init(_ input: TraceInput) { self.input = input }

  /// The next line, which is valid until the next call; nil at the end of the file.
  mutating func next() throws(TraceError) -> UnsafeRawBufferPointer? {
    input.consume(taken)
    taken = 0
    offset = input.offset
    var searched = 0
    while true {
      if let end = memchr(input.start + searched, 0x0a, input.count - searched) {
        let length = UnsafeRawPointer(end) - input.start
        taken = length + 1
        return trimmed(length)
      }
      searched = input.count
      if try input.fill() { continue }
      // The last line has no end. A line that is longer than the largest window is split.
      taken = input.count
      return input.count == 0 ? nil : trimmed(input.count)
    }
  }

  private func trimmed(_ length: Int) -> UnsafeRawBufferPointer {
    let hasReturn = length > 0 && input.bytes[length - 1] == 0x0d
    return UnsafeRawBufferPointer(start: input.start, count: hasReturn ? length - 1 : length)
  }
}

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

  /// Where `bytes` occur last.
  func lastPlace(of bytes: StaticString) -> Int? {
    let length = bytes.utf8CodeUnitCount
    var place = count - length
    while place >= 0 {
      if let base = baseAddress, memcmp(base + place, bytes.utf8Start, length) == 0 { return place }
      place -= 1
    }
    return nil
  }
}
