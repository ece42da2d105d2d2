#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Index of a string in a trace's `StringTable`. 0 is the empty string.
public struct StringID: Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = StringID(rawValue: 0)
}

/// The distinct strings of a trace, each stored once.
///
/// It is an open hash table over the strings' UTF-8. A reader can look up bytes of its file without creating a
/// `String`.
public struct StringTable: Sendable {
  private var strings: [String] = [""]
  /// Row + 1 by hash, 0 if free. The size is a power of two.
  private var slots: [UInt32] = []
  private var hashes: [UInt32] = [0]

  public init() {}

  public var count: Int { strings.count }

  /// The string of `id`; empty if the id is not in this table.
  public subscript(id: StringID) -> String {
    let row = Int(id.rawValue)
    return row < strings.count ? strings[row] : ""
  }

  /// The id of `string`. A new string is added.
  public mutating func intern(_ string: String) -> StringID {
    var string = string
    return string.withUTF8 { intern(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// The id of the string with these bytes. Invalid UTF-8 is repaired with U+FFFD.
  public mutating func intern(utf8 bytes: UnsafeRawBufferPointer) -> StringID {
    if bytes.isEmpty { return .empty }
    if strings.count * 2 > slots.count { grow() }
    let hash = Self.hash(bytes)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let row = Int(slots[slot]) - 1
      if hashes[row] == hash, Self.equal(strings[row], bytes) { return StringID(rawValue: UInt32(row)) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let string = String(decoding: bytes, as: UTF8.self)
    if string.utf8.count != bytes.count || !Self.equal(string, bytes) { return intern(string) }
    strings.append(string)
    hashes.append(hash)
    slots[slot] = UInt32(strings.count)
    return StringID(rawValue: UInt32(strings.count - 1))
  }

  /// The id of `string`; nil if the trace does not have it.
  public func id(of string: String) -> StringID? {
    if string.isEmpty { return .empty }
    if slots.isEmpty { return nil }
    var string = string
    return string.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let hash = Self.hash(bytes)
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] != 0 {
        let row = Int(slots[slot]) - 1
        if hashes[row] == hash, Self.equal(strings[row], bytes) { return StringID(rawValue: UInt32(row)) }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  private mutating func grow() {
    let size = max(64, slots.count * 2)
    slots = [UInt32](repeating: 0, count: size)
    for row in 1..<max(1, strings.count) {
      var slot = Int(hashes[row]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(row + 1)
    }
  }

  private static func equal(_ string: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var string = string
    return string.withUTF8 { utf8 in
      guard utf8.count == bytes.count else { return false }
      guard let left = utf8.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, bytes.count) == 0
    }
  }

  /// Hashes eight bytes at a time, by multiplying and folding. The seed differs in each process, so that a file
  /// cannot be crafted to collide.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    state = mix(state ^ rest)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }

  private static let seed = UInt64.random(in: .min ... .max)
}
