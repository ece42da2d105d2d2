#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Byte strings by number. Each is kept once, up to a limit.
struct InternedTexts {
  /// By number.
  private(set) var texts: [[UInt8]] = []
  private var hashes: [UInt64] = []
  /// Numbers + 1 at the places of their hashes; 0 is free.
  private var slots = [Int32](repeating: 0, count: 64)
  private let most: Int
  /// A record is much like the one before.
  private var last = 0

  init(most: Int) { self.most = most }

  /// The number of these bytes, new or old; nil when they are new and there are too many.
  mutating func number(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if last < texts.count, isEqual(texts[last], bytes) { return last }
    let hash = Self.hash(bytes)
    var place = Int(hash & UInt64(slots.count - 1))
    while slots[place] != 0 {
      let number = Int(slots[place]) - 1
      if hashes[number] == hash, isEqual(texts[number], bytes) {
        last = number
        return number
      }
      place = (place + 1) & (slots.count - 1)
    }
    guard texts.count < most else { return nil }
    texts.append([UInt8](bytes))
    hashes.append(hash)
    slots[place] = Int32(texts.count)
    if texts.count * 2 > slots.count { grow() }
    return texts.count - 1
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash & UInt64(slots.count - 1))
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Int32(number + 1)
    }
  }

  /// Whether these are the bytes of that number.
  func isEqual(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> Bool { isEqual(texts[number], bytes) }

  private func isEqual(_ text: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    text.count == bytes.count
      && text.withUnsafeBytes { left in
        guard let first = left.baseAddress, let second = bytes.baseAddress else { return true }
        return memcmp(first, second, bytes.count) == 0
      }
  }

  private static let secret = UInt64.random(in: .min ... .max)

  /// FNV-1a over words, mixed at the end, from a secret beginning, so that no file can choose texts that collide.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = secret ^ UInt64(bytes.count)
    var place = 0
    while place + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x0000_0100_0000_01b3
      hash ^= hash >> 32
      place += 8
    }
    while place < bytes.count {
      hash = (hash ^ UInt64(bytes[place])) &* 0x0000_0100_0000_01b3
      place += 1
    }
    return hash ^ (hash >> 29)
  }
}
