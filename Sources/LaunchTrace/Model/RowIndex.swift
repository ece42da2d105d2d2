// SPDX-License-Identifier: Apache-2.0

/// Finds the row of something in a table by its hash: an open hash table of row numbers. The table itself has the keys.
///
/// A `Dictionary` would take the greater part of a report's time and memory.
package struct RowIndex: Sendable {
  /// Row + 1 in the lower half, the hash in the upper half; 0 if free. The size is a power of two.
  @usableFromInline var slots = [UInt64](repeating: 0, count: 64)
  @usableFromInline var count = 0

  package init() {}

  /// The row with this hash for which `isSame` is true; nil if there is none.
  @inlinable @inline(__always)
  package func row(hash: UInt32, isSame: (Int) -> Bool) -> Int? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let row = Int(slots[slot] & 0xffff_ffff) &- 1
      if slots[slot] >> 32 == UInt64(hash), isSame(row) { return row }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a row that is not in the index.
  @inlinable @inline(__always)
  package mutating func add(_ row: Int, hash: UInt32) {
    put(UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: row &+ 1)))
    count += 1
    if count * 4 > slots.count * 3 { grow() }
  }

  /// Puts an entry into the first free place.
  @inlinable @inline(__always)
  mutating func put(_ entry: UInt64) {
    var slot = Int(entry >> 32) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }

  @usableFromInline
  mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 { put(entry) }
  }
}

/// Hashes for a `RowIndex`. The seed differs in each process, so that a file cannot be crafted to collide.
package enum RowHash {
  @usableFromInline static let seed = UInt64.random(in: .min ... .max)

  @inlinable @inline(__always)
  package static func of(_ word: UInt64) -> UInt32 { UInt32(mix(word ^ seed) >> 32) }

  @inlinable @inline(__always)
  package static func of(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) -> UInt32 {
    UInt32(mix(mix(mix(mix(first ^ seed) ^ second) ^ third) ^ fourth) >> 32)
  }

  /// The hash of bytes, eight at a time.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
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
    return UInt32(mix(state ^ rest) >> 32)
  }

  /// Multiplies, and folds both halves of the product.
  @inlinable @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}
