// SPDX-License-Identifier: Apache-2.0

/// Corrupts bytes as real files get corrupted, and in worse ways. Some mutations know the structure of the formats.
public struct Mutator<Random: RandomNumberGenerator> {
  public var random: Random

  public init(random: Random) { self.random = random }

  /// Bytes that are hard for readers: extreme lengths, counts and signs, in all formats.
  private static var snippets: [[UInt8]] {
    [
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0xff, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x00],
      [0x0a, 0x00], [0x0a, 0xff, 0xff, 0x03], [0x7a, 0x16], [0x00], [0xff],
    ]
      + [
        "-", "999999999999999999999", "1e999", "{", "}", "[", "]", "\"", "\\u", "\\ud800", ";", "\n", "\t", "0x", ",",
        ":",
      ]
      .map { Array($0.utf8) }
  }

  /// Numbers in text at the limits of what readers accept.
  private static var numbers: [String] {
    [
      "0", "1", "-1", "0.0001", "2147483647", "2147483648", "-2147483648", "4294967295", "9007199254740991",
      "9007199254740993", "1152921504606846976", "4611686018427387904", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615", "99999999999999999999", "1e15", "9.2e15", "-9.2e15", "1e300",
    ]
  }

  public mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: mutateBytes(&bytes)
      case 1: mutateNumber(&bytes)
      case 2: mutateLines(&bytes)
      default: bytes = ProtobufMutation.mutate(bytes, using: &random) ?? bytes
      }
    }
    return bytes
  }

  private mutating func mutateBytes(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...64, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.insert(contentsOf: Self.snippets.randomElement(using: &random) ?? [], at: place)
    case 3:
      let snippet = Self.snippets.randomElement(using: &random) ?? []
      bytes.replaceSubrange(place..<min(bytes.count, place + snippet.count), with: snippet)
    case 4: bytes.removeSubrange(place..<end)
    case 5: bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
    case 6: bytes.removeSubrange(place...)
    default: bytes[place..<end].shuffle(using: &random)
    }
  }

  /// Replaces the first number after a random place.
  private mutating func mutateNumber(_ bytes: inout [UInt8]) {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    guard let first = bytes[start...].firstIndex(where: { isDigit($0) }) else { return }
    let end = bytes[first...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(first..<end, with: Array((Self.numbers.randomElement(using: &random) ?? "").utf8))
  }

  /// Removes, duplicates or moves a line or an event.
  private mutating func mutateLines(_ bytes: inout [UInt8]) {
    let separator: UInt8 = bytes.first == 0x5b || bytes.first == 0x7b ? 0x7d : 0x0a
    let ends = bytes.indices.filter { bytes[$0] == separator }
    guard ends.count > 1 else { return }
    let line = Int.random(in: 1..<ends.count, using: &random)
    let range = (ends[line - 1] + 1)..<(ends[line] + 1)
    let copy = Array(bytes[range])
    let target = (ends.randomElement(using: &random) ?? 0) + 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes.removeSubrange(range)
    case 1: bytes.insert(contentsOf: copy, at: target)
    default:
      bytes.removeSubrange(range)
      bytes.insert(contentsOf: copy, at: min(target, bytes.count))
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
